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
    /// Processor time used, in ticks of a hundredth of a second.
    pub busy: Duration,
}

pub fn vitals(pid: u32) -> Vitals {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let number = |name: &str| -> u64 {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {status}"));
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    // After the name, which is in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Vitals {
        resident: number("VmRSS:") << 10,
        peak: number("VmHWM:") << 10,
        threads: number("Threads:"),
        descriptors: fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(),
        busy: Duration::from_millis(ticks * 10),
    }
}

/// Whether a process is stopped, by the letter the system gives its state.
pub fn is_stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(')').unwrap().1.trim_start().starts_with('T')
}

pub fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
