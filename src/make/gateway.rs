//! A simulated gateway: it writes receipts into a folder the way real ones do, the unpleasant ones included.
//!
//! Each file is written under a hidden name and renamed, as a careful producer does; [`Gateway::run`] now and then
//! writes one plainly, in two parts, as a careless one does. What was written is returned with the verdict it must
//! get, so that tests can compare. Contents come from the seed, times from the clock that is handed in.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::json::{Json, object};
use super::payload;
use super::random::Random;
use super::receipt::Parts;
use crate::aer1::grammar::Moment;
use crate::aer1::words::{Class, Headline, Kind};

/// What kind of thing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// A published receipt of a call that went well.
    Good,
    /// The same in the transport form.
    Transport,
    /// One attempt of a call that fails twice and then succeeds; the number is 1, 2 or 3.
    Attempt(u8),
    /// The provider failed and there are no bytes.
    ProviderFailure,
    /// One byte is not the byte that was hashed.
    ChangedByte,
    /// The file ends in the middle.
    CutOff,
    /// The provenance class is none of the three.
    UnknownClass,
    /// A receipt that was written before, under another file name.
    Copy,
}

/// One written file, and what a verifier must say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// The receipt's id.
    pub id: String,
    /// What it is.
    pub what: What,
    /// The kind of document.
    pub kind: Kind,
    /// The expected headline.
    pub headline: Headline,
    /// The expected class.
    pub class: Option<Class>,
}

/// How [`Gateway::flood`] writes.
#[derive(Clone, Copy, Debug)]
pub struct Flood {
    /// How many receipts.
    pub count: usize,
    /// How many a second; 0 means as fast as the disk allows.
    pub per_second: f64,
    /// The share that is written plainly, in two parts with another file between them.
    pub plainly: f64,
}

/// A file whose second part is still to come.
struct Half {
    file: File,
    rest: Vec<u8>,
}

/// A call that is tried three times.
struct Call {
    tool: &'static str,
    inputs: Json,
    correlation: String,
}

/// Writes receipts into one folder.
pub struct Gateway {
    dir: PathBuf,
    random: Random,
    start: Moment,
    deck: Vec<What>,
    call: Option<Call>,
    last_good: Option<(String, Json)>,
    half: Option<Half>,
    copies: u32,
}

const EXECUTED: &str = "EXECUTED BY HARBOUR GATEWAY 2";
const CLASSES: [&str; 8] = [
    EXECUTED,
    EXECUTED,
    EXECUTED,
    EXECUTED,
    "OBSERVED VIA GATEWAY",
    "OBSERVED VIA GATEWAY",
    "LOGGED BY AGENT",
    "LOGGED BY AGENT",
];

/// Receipts in one round: each round holds every kind, the first one included.
const ROUND: usize = 40;

impl Gateway {
    /// A gateway that writes into `dir`, which must exist. A burst ends at `start`.
    pub fn new(dir: impl Into<PathBuf>, seed: u64, start: Moment) -> Gateway {
        Gateway {
            dir: dir.into(),
            random: Random::new(seed),
            start,
            deck: Vec::new(),
            call: None,
            last_good: None,
            half: None,
            copies: 0,
        }
    }

    /// The folder it writes into.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes `count` files at once, created over the minutes before `start`. Forty hold every kind.
    ///
    /// # Errors
    /// What the file system says.
    pub fn burst(&mut self, count: usize) -> io::Result<Vec<Written>> {
        let mut ago = 0;
        let mut times: Vec<Moment> = (0..count)
            .map(|_| {
                let then = earlier(self.start, ago);
                ago += 400 + self.random.below(4_000);
                then
            })
            .collect();
        times.reverse();
        times.into_iter().map(|created| self.one(created)).collect()
    }

    /// Completes what was left half written, then writes the next file, created at `now`.
    ///
    /// # Errors
    /// What the file system says.
    pub fn one(&mut self, now: Moment) -> io::Result<Written> {
        self.complete()?;
        let what = self.next_what();
        let (written, bytes) = self.make(what, now);
        self.rename_into_place(&written.path, &bytes)?;
        Ok(written)
    }

    /// Writes the second part of a half-written file, if there is one.
    ///
    /// # Errors
    /// What the file system says.
    pub fn complete(&mut self) -> io::Result<()> {
        match self.half.take() {
            Some(mut half) => half.file.write_all(&half.rest),
            None => Ok(()),
        }
    }

    /// Writes `per_second` files a second with the real clock until `stop` is set, about one in twelve plainly and in
    /// two parts. Returns at most 20 ms after `stop`, with no file left half written.
    ///
    /// # Errors
    /// What the file system says.
    pub fn run(&mut self, stop: &AtomicBool, per_second: f64) -> io::Result<Vec<Written>> {
        let mut all = Vec::new();
        let begun = Instant::now();
        let mut due = 0.0;
        loop {
            // Irregular, as traffic is; the mean is as asked.
            due += (0.4 + 1.2 * self.random.unit()) / per_second.max(0.001);
            while begun.elapsed().as_secs_f64() < due {
                if stop.load(Ordering::Relaxed) {
                    self.complete()?;
                    return Ok(all);
                }
                let rest = due - begun.elapsed().as_secs_f64();
                std::thread::sleep(Duration::from_secs_f64(rest.clamp(0.0, 0.02)));
            }
            if stop.load(Ordering::Relaxed) {
                self.complete()?;
                return Ok(all);
            }
            let now = Moment::of(SystemTime::now());
            if self.random.below(12) == 0 {
                self.complete()?;
                let (written, bytes) = self.make(What::Good, now);
                self.begin(&written.path, &bytes)?;
                all.push(written);
            } else {
                all.push(self.one(now)?);
            }
        }
    }

    /// Writes good receipts only, many and fast.
    ///
    /// # Errors
    /// What the file system says.
    pub fn flood(&mut self, flood: Flood, stop: &AtomicBool) -> io::Result<Vec<Written>> {
        let begun = Instant::now();
        let mut all = Vec::with_capacity(flood.count);
        for n in 0..flood.count {
            while flood.per_second > 0.0 && begun.elapsed().as_secs_f64() * flood.per_second < n as f64 {
                std::thread::sleep(Duration::from_micros(200));
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let (written, bytes) = self.make(What::Good, Moment::of(SystemTime::now()));
            if self.random.chance(flood.plainly) {
                self.complete()?;
                self.begin(&written.path, &bytes)?;
            } else {
                self.rename_into_place(&written.path, &bytes)?;
                self.complete()?;
            }
            all.push(written);
        }
        self.complete()?;
        Ok(all)
    }

    /// Writes the first part of a file under its own name.
    fn begin(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(first)?;
        self.half = Some(Half { file, rest: rest.to_vec() });
        Ok(())
    }

    fn rename_into_place(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let hidden = self.dir.join(format!(".{name}.part"));
        fs::write(&hidden, bytes)?;
        fs::rename(&hidden, path)
    }

    fn next_what(&mut self) -> What {
        if self.deck.is_empty() {
            self.deck = self.shuffled_round();
        }
        self.deck.pop().unwrap_or(What::Good)
    }

    /// One round, last first. It begins with a good receipt, so that a copy has an original, and keeps attempts in order.
    fn shuffled_round(&mut self) -> Vec<What> {
        let mut round = vec![What::Good; ROUND];
        let others = [
            What::Attempt(1),
            What::Attempt(1),
            What::Attempt(1),
            What::ProviderFailure,
            What::ProviderFailure,
            What::ChangedByte,
            What::CutOff,
            What::UnknownClass,
            What::Copy,
            What::Transport,
            What::Transport,
            What::Transport,
        ];
        for (slot, what) in round.iter_mut().zip(others) {
            *slot = what;
        }
        self.random.shuffle(&mut round);
        if let Some(good) = round.iter().rposition(|what| *what == What::Good) {
            let last = round.len().saturating_sub(1);
            round.swap(good, last);
        }
        let mut number = 3;
        for what in &mut round {
            if let What::Attempt(n) = what {
                *n = number;
                number -= 1;
            }
        }
        round
    }

    /// The next receipt of this kind: where it goes, what must be said about it, and the file's bytes.
    fn make(&mut self, what: What, now: Moment) -> (Written, Vec<u8>) {
        let random = &mut self.random;
        let mut tool = payload::tool(random);
        let mut inputs = payload::inputs(random);
        let size = 80 + random.below(900);
        let mut outputs = payload::outputs(random, usize::try_from(size).unwrap_or(80));
        let mut parts = Parts {
            id: random.uuid(),
            version: "0.3".to_owned(),
            created: now.to_string(),
            tool: String::new(),
            tool_version: format!("{}.{}.0", 1 + random.below(4), random.below(10)),
            scope: payload::scope(random).to_owned(),
            provenance: random.pick(&CLASSES).to_owned(),
        };
        let mut extra = Vec::new();
        if let What::Attempt(n) = what {
            let call = self.call.take().unwrap_or_else(|| Call {
                tool,
                inputs: inputs.clone(),
                correlation: format!("call-{:08x}", random.bits() >> 32),
            });
            tool = call.tool;
            inputs = call.inputs.clone();
            extra.push(("correlation_id", Json::from(call.correlation.as_str())));
            EXECUTED.clone_into(&mut parts.provenance);
            if n < 3 {
                let error = random.pick(&["upstream timed out after 10 s", "503 from provider", "connection reset"]);
                outputs = object([("error", error.into())]);
                self.call = Some(call);
            }
        }
        tool.clone_into(&mut parts.tool);
        let bytes = payload::committed(tool, inputs, outputs, &extra);
        let mut receipt = parts.published(&bytes).with("status", "success");
        for (name, value) in extra {
            receipt.add(name, value);
        }
        let mut name = format!("{}.json", parts.id);
        let (mut kind, mut headline, mut class) = (Kind::Published, Headline::Verified, None);
        match what {
            What::Good => self.last_good = Some((parts.id.clone(), receipt.clone())),
            What::Transport => {
                (kind, headline) = (Kind::Transport, Headline::Intact);
                receipt = parts.transport(&bytes, "execution_observed", "success");
            }
            What::Attempt(n) if n < 3 => {
                (headline, class) = (Headline::Intact, Some(Class::StatusNotVerified));
                receipt = receipt.with("verification_status", "not_verified").with("status", "failed");
            }
            What::Attempt(_) => {}
            What::ProviderFailure => {
                (kind, headline) = (Kind::Transport, Headline::Unavailable);
                receipt = parts.transport_without_bytes("not_verified", "provider_unavailable");
            }
            What::ChangedByte => {
                (headline, class) = (Headline::Mismatch, Some(Class::DigestMismatch));
                receipt.set("canonical_bytes", super::receipt::base64(&with_one_byte_changed(&bytes)));
            }
            What::CutOff => {
                (kind, headline, class) = (Kind::None, Headline::Malformed, Some(Class::JsonTruncated));
            }
            What::UnknownClass => {
                (headline, class) = (Headline::Malformed, Some(Class::ProvenanceUnknown));
                receipt.set("provenance_class", "EXECUTED BY somebody");
            }
            What::Copy => {
                if let Some((id, original)) = &self.last_good {
                    self.copies += 1;
                    name = format!("{id}-copy-{}.json", self.copies);
                    id.clone_into(&mut parts.id);
                    receipt = original.clone();
                }
            }
        }
        let mut text = receipt.pretty().into_bytes();
        if what == What::CutOff {
            text.truncate(text.len() * 2 / 3);
            // Never inside a character, where the text would end all the same but nobody could show it.
            while std::str::from_utf8(&text).is_err() {
                text.pop();
            }
        }
        (Written { path: self.dir.join(name), id: parts.id, what, kind, headline, class }, text)
    }
}

/// A moment some milliseconds before another.
fn earlier(moment: Moment, millis: u64) -> Moment {
    let nanos = i128::from(moment.secs) * 1_000_000_000 + i128::from(moment.nanos) - i128::from(millis) * 1_000_000;
    Moment {
        secs: i64::try_from(nanos.div_euclid(1_000_000_000)).unwrap_or(i64::MIN),
        nanos: u32::try_from(nanos.rem_euclid(1_000_000_000)).unwrap_or(0),
    }
}

/// The same text with the first digit in it raised by one (9 becomes 0): the smallest change an editor would make.
fn with_one_byte_changed(bytes: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    if let Some(digit) = changed.iter_mut().find(|b| b.is_ascii_digit()) {
        *digit = if *digit == b'9' { b'0' } else { *digit + 1 };
    }
    changed
}

#[cfg(test)]
mod tests;
