//! What the system says of a process: memory, threads, descriptors, processor time, its end.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::time::Duration;

/// One look at a process.
#[derive(Clone, Copy, Debug)]
pub struct Vitals {
    /// Resident memory in bytes.
    pub resident: u64,
    /// The most there was at a time.
    pub peak: u64,
    pub threads: u64,
    pub descriptors: usize,
    /// Processor time used.
    pub busy: Duration,
}

pub fn vitals(pid: u32) -> Vitals {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let number = |name: &str| -> u64 {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {status}"));
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    Vitals {
        resident: number("VmRSS:") << 10,
        peak: number("VmHWM:") << 10,
        threads: number("Threads:"),
        descriptors: fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(),
        busy: cpu(pid).unwrap(),
    }
}

/// The fields of `/proc/PID/stat` from the third on; the name before them is in brackets and may hold anything.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// The letter of a process's state: `T` is stopped, `Z` has ended and was not waited for.
pub fn state(pid: u32) -> Option<char> {
    stat(pid)?.first()?.chars().next()
}

/// The processor time of a process so far, in steps of 10 ms; also of one that has ended and was not waited for.
pub fn cpu(pid: u32) -> Option<Duration> {
    let fields = stat(pid)?;
    // The kernel tells these in hundredths of a second, whatever its own clock does.
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

pub fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
