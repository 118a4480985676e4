//! A program that puts what is copied on a clipboard: started aside, given the content, and not waited for for ever.

use std::io::{self, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::text;

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at it.
const GLANCE: Duration = Duration::from_millis(10);

/// Hands `content` to a program in a thread of its own; `told` gets what came of it, an escaped sentence when it failed.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    words: Vec<String>,
    content: Vec<u8>,
    told: impl FnOnce(Result<(), String>) + Send + 'static,
) -> io::Result<()> {
    let body = move || told(copy(&words, content, PATIENCE));
    std::thread::Builder::new().name("clipboard".to_owned()).spawn(body).map(drop)
}

/// Runs the program; no longer than `patience`.
fn copy(words: &[String], content: Vec<u8>, patience: Duration) -> Result<(), String> {
    let Some((program, rest)) = words.split_first() else { return Err("no program is named".to_owned()) };
    let name = text::shown_cut(program, 60).into_owned();
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{name}: {}", text::shown_display(&error)))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that does not read must not keep this thread; with its end the pipe breaks.
        let feed = move || drop(input.write_all(&content));
        if let Err(error) = std::thread::Builder::new().name("clipboard-feed".to_owned()).spawn(feed) {
            end(&mut child);
            return Err(format!("no thread could be started: {}", text::shown_display(&error)));
        }
    }
    match wait(&mut child, patience) {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => Err(format!("{name} ended with {}", text::shown_display(&status))),
        Ok(None) => {
            end(&mut child);
            Err(format!("{name} took longer than {} s and was ended", patience.as_secs()))
        }
        Err(error) => Err(format!("{name}: {}", text::shown_display(&error))),
    }
}

fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        std::thread::sleep(GLANCE);
    }
}

fn end(child: &mut Child) {
    // It may have ended meanwhile.
    let _ended = child.kill();
    let _ended = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_program_reads_exactly_the_content() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("copied");
        let content: Vec<u8> = (0..300_000u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
        let script = words(&["sh", "-c", "cat > \"$0\"", file.to_str().unwrap()]);
        copy(&script, content.clone(), Duration::from_secs(60)).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), content);
    }

    #[test]
    fn a_failure_names_the_program_and_what_came_of_it() {
        let failed = |program: &[&str], patience| copy(&words(program), vec![0; 1 << 20], patience).unwrap_err();
        let long = Duration::from_secs(60);
        assert!(failed(&["no-such\u{1b}-program"], long).starts_with("no-such\\x1b-program: "));
        assert!(failed(&["false"], long).starts_with("false ended with "));
        // It never reads and never ends.
        assert!(failed(&["sleep", "600"], Duration::from_millis(50)).contains("took longer"));
        assert!(copy(&[], Vec::new(), long).is_err());
    }
}
