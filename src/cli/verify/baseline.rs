//! `--baseline FILE`: failures that are known already, so that a run fails on new ones only.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use aerscope::aer1::report::{Headline, Report};
use aerscope::text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::cli::{Refusal, tell};

/// Known failures: path, place and class, as verify's own JSON Lines name them.
#[derive(Debug)]
pub struct Baseline {
    known: HashMap<(Vec<u8>, String, String), bool>,
    met: u64,
}

/// The members of a line that count.
#[derive(serde::Deserialize)]
struct Line {
    path: String,
    #[serde(default)]
    path_base64: Option<String>,
    record: Option<String>,
    headline: String,
    class: Option<String>,
}

impl Baseline {
    /// Reads what `verify --format jsonl` printed. Lines of records that do not fail say nothing here.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no line of verify.
    pub fn read(path: &Path) -> Result<Baseline, Refusal> {
        let next = "name what verify --format jsonl printed";
        let text = std::fs::read_to_string(path).map_err(|error| Refusal::io(path, &error, next))?;
        let mut known = HashMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line)
                .map_err(|_| Refusal::path(path, &format!("line {number} is no result of verify"), next))?;
            let failing = [Headline::Malformed, Headline::Mismatch].iter().any(|h| h.as_str() == line.headline);
            let (true, Some(class)) = (failing, line.class) else { continue };
            let exact = line.path_base64.and_then(|text| STANDARD.decode(text).ok());
            let bytes = exact.unwrap_or_else(|| line.path.into_bytes());
            known.insert((plain(&bytes), line.record.unwrap_or_default(), class), false);
        }
        Ok(Baseline { known, met: 0 })
    }

    /// Takes a record; true when it fails in a way that is known.
    pub fn knows(&mut self, path: &Path, report: &Report) -> bool {
        let Some(class) = report.class.filter(|_| report.headline.is_failing()) else { return false };
        let key = (plain(path.as_os_str().as_encoded_bytes()), report.place.to_string(), class.as_str().to_owned());
        match self.known.get_mut(&key) {
            Some(seen) => {
                *seen = true;
                self.met += 1;
                true
            }
            None => false,
        }
    }

    /// How many records failed in a way that is known.
    pub fn met(&self) -> u64 {
        self.met
    }

    /// Tells how the baseline and the run compare.
    pub fn summary(&self, path: &Path) {
        let gone = self.known.values().filter(|seen| !**seen).count();
        let shown = text::shown_path(path);
        match gone {
            0 => tell(&format!("{} failures are known from {shown}", self.met)),
            _ => tell(&format!("{} failures are known from {shown}; {gone} in it did not come again", self.met)),
        }
    }
}

/// `./a` and `a` are one path.
fn plain(path: &[u8]) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    let path = Path::new(std::ffi::OsStr::from_bytes(path));
    let plain: PathBuf = path.components().filter(|c| *c != std::path::Component::CurDir).collect();
    plain.into_os_string().as_encoded_bytes().to_vec()
}
