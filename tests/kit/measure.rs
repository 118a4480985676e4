//! What the tests of hostile input share: how much of a proof is run, and what a process has used.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::time::Duration;

use rustix::process::Pid;

/// Whether everything is run, in a release build on a quiet machine, and its times are asserted.
pub fn full() -> bool {
    std::env::var("AERSCOPE_HOSTILE").as_deref() == Ok("full")
}

/// The line of figures of one proof.
pub fn figure(number: u32, name: &str, figure: &str) {
    // On a line of its own, whatever the test harness printed before.
    println!("\nhostile {number} {name}: {figure}");
}

/// The fields of `/proc/PID/stat` from the third on; the name before them may hold anything.
fn stat(pid: Pid) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    Some(text.rsplit_once(") ")?.1.split(' ').map(str::to_owned).collect())
}

/// The state letter of a process: `T` is stopped, `Z` has ended and was not waited for.
pub fn state(pid: Pid) -> Option<char> {
    stat(pid)?.first()?.chars().next()
}

/// The processor time of a process so far, in steps of 10 ms; also of one that has ended and was not waited for.
pub fn cpu(pid: Pid) -> Option<Duration> {
    let fields = stat(pid)?;
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    // The kernel tells these in hundredths of a second, whatever its own clock does.
    Some(Duration::from_millis(ticks * 10))
}
