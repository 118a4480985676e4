//! The worker pool: each worker has one verifier and one buffer.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::file::{Ask, FileVerifier};
use super::inbox::{News, Shared};
use super::read::At;

/// Results are handed over about this often, and before a wait.
const SHARE: Duration = Duration::from_millis(5);

/// How many workers: as asked, or as many as there are cores.
pub fn count(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        n => n,
    }
}

/// How much more gladly than others a worker lets go of its core (as `nice` counts).
#[cfg(target_os = "linux")]
const GENTLE: i32 = 5;

/// A worker's life.
pub fn work(shared: &Shared, workers: usize, mut verifier: FileVerifier) {
    // There are as many workers as cores: whoever answers a key must not wait for one to have had its turn. On Linux
    // this is for the calling thread alone; where it is not, or may not be, everything works all the same.
    #[cfg(target_os = "linux")]
    let _as_before = rustix::process::setpriority_process(None, GENTLE);
    let mut news = Vec::new();
    let mut last = Instant::now();
    while let Some(jobs) = shared.next_jobs(workers, &mut news, || verifier.rest()) {
        verifier.tick();
        for job in jobs {
            let job = Arc::new(job);
            let path: &Path = &job.path;
            let at = if job.named { At::named(path) } else { At::path(path) };
            let ask = Ask { tail: job.tail.as_deref(), settled: job.settled, ..Ask::default() };
            let ending = verifier.verify(at, ask, &mut |part| {
                news.push((Arc::clone(&job), News::Part(part)));
                shared.push_done(&mut news)
            });
            news.push((job, News::End(ending)));
            if last.elapsed() >= SHARE {
                last = Instant::now();
                if !shared.push_done(&mut news) {
                    return;
                }
            }
        }
    }
}
