//! Where a suite stands and what it holds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{Case, kit, manifest};

/// Largest file of a suite, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// How a suite is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Our own `index.json`.
    Manifest,
    /// The public kit's folders.
    Kit,
    /// One file of named vectors.
    File,
}

impl Layout {
    /// The stable word, for run records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Layout::Manifest => "manifest",
            Layout::Kit => "kit",
            Layout::File => "file",
        }
    }
}

/// Why a suite cannot be run. Raw text: whoever shows it escapes it.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The path or a file that names vectors cannot be read.
    #[error("{0}")]
    Io(std::io::Error),
    /// There is nothing at this place that names vectors.
    #[error("it holds no index.json and none of the public kit's folders and files")]
    NoSuite,
    /// A file that names vectors is not what it should be.
    #[error("{file}: {what}")]
    Unfit {
        /// The file, relative to the suite.
        file: String,
        /// What is wrong with it.
        what: String,
    },
}

#[derive(Clone, Debug)]
enum Source {
    Folder(PathBuf),
    Memory(BTreeMap<String, Vec<u8>>),
}

/// Cases, and where their files are.
#[derive(Clone, Debug)]
pub struct Suite {
    source: Source,
    /// How it is laid out.
    pub layout: Layout,
    /// What it expects; cases of one file stand together.
    pub cases: Vec<Case>,
}

impl Suite {
    /// Reads the suite at a path: a folder, or a file that names vectors.
    ///
    /// # Errors
    /// When nothing there can be read as a suite. A suite without cases is no error here.
    pub fn open(path: &Path) -> Result<Suite, SuiteError> {
        let about = fs::metadata(path).map_err(SuiteError::Io)?;
        if about.is_dir() {
            return Suite::of(Source::Folder(path.to_owned()));
        }
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut suite = Suite { source: Source::Folder(folder), layout: Layout::File, cases: Vec::new() };
        let bytes = suite.read(&name).map_err(|what| SuiteError::Unfit { file: name.clone(), what })?;
        if let Some(cases) = manifest::cases(&bytes) {
            suite.layout = Layout::Manifest;
            suite.cases = cases.map_err(|what| SuiteError::Unfit { file: name, what })?;
        } else {
            let cases = kit::of_file(&name, &bytes).ok_or(SuiteError::NoSuite)?;
            suite.cases = cases.map_err(|what| SuiteError::Unfit { file: name, what })?;
        }
        Ok(suite)
    }

    /// A suite whose files are in memory: names and contents, `index.json` among them.
    ///
    /// # Errors
    /// When they are no suite.
    pub fn in_memory(files: Vec<(String, Vec<u8>)>) -> Result<Suite, SuiteError> {
        Suite::of(Source::Memory(files.into_iter().collect()))
    }

    fn of(source: Source) -> Result<Suite, SuiteError> {
        let mut suite = Suite { source, layout: Layout::Manifest, cases: Vec::new() };
        let unfit = |file: &str| {
            let file = file.to_owned();
            move |what| SuiteError::Unfit { file, what }
        };
        if suite.has("index.json") {
            let bytes = suite.read("index.json").map_err(unfit("index.json"))?;
            if let Some(cases) = manifest::cases(&bytes) {
                suite.cases = cases.map_err(unfit("index.json"))?;
                return Ok(suite);
            }
        }
        suite.layout = Layout::Kit;
        let mut any = false;
        for folder in ["", "test-vectors"] {
            for (part, of_part) in kit::FOLDERS {
                let inner = join(folder, part);
                for file in suite.list(&inner) {
                    any = true;
                    let bytes = suite.read(&file).unwrap_or_default();
                    suite.cases.push(kit::case(of_part, &file, &bytes));
                }
            }
            for file in suite.list(folder) {
                let bytes = suite.read(&file).map_err(unfit(&file))?;
                if let Some(cases) = kit::of_file(&file, &bytes) {
                    any = true;
                    suite.cases.extend(cases.map_err(unfit(&file))?);
                }
            }
        }
        if any { Ok(suite) } else { Err(SuiteError::NoSuite) }
    }

    /// Where the files are; `None` when they are in memory.
    pub fn folder(&self) -> Option<&Path> {
        match &self.source {
            Source::Folder(folder) => Some(folder),
            Source::Memory(_) => None,
        }
    }

    /// The bytes of one of its files, or in words why not (raw text). A name that leads out of the suite is refused.
    ///
    /// # Errors
    /// The words.
    pub fn read(&self, file: &str) -> Result<Vec<u8>, String> {
        if !stays_inside(file) {
            return Err("the name leads out of the suite".to_owned());
        }
        match &self.source {
            Source::Memory(files) => files.get(file).cloned().ok_or_else(|| "there is no such file".to_owned()),
            Source::Folder(folder) => {
                let path = folder.join(file);
                let about = fs::metadata(&path).map_err(|e| e.to_string())?;
                if !about.is_file() {
                    return Err("it is no regular file".to_owned());
                }
                if about.len() > MAX_SIZE {
                    return Err("it is over 64 MiB".to_owned());
                }
                fs::read(&path).map_err(|e| e.to_string())
            }
        }
    }

    fn has(&self, file: &str) -> bool {
        match &self.source {
            Source::Memory(files) => files.contains_key(file),
            Source::Folder(folder) => folder.join(file).is_file(),
        }
    }

    /// The JSON files of one folder of the suite, by name; none when it is not there.
    fn list(&self, inner: &str) -> Vec<String> {
        let mut names: Vec<String> = match &self.source {
            Source::Memory(files) => {
                files.keys().filter(|name| name.rsplit_once('/').map_or("", |(f, _)| f) == inner).cloned().collect()
            }
            Source::Folder(folder) => fs::read_dir(folder.join(inner))
                .into_iter()
                .flatten()
                .flatten()
                .filter(|entry| entry.path().is_file())
                .filter_map(|entry| entry.file_name().into_string().ok())
                .map(|name| join(inner, &name))
                .collect(),
        };
        names.retain(|name| name.ends_with(".json") || name.ends_with(".jsonl"));
        names.sort();
        names
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Whether a relative name stays below where it starts.
pub(super) fn stays_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}
