//! A copy handed to a program of the operator's choice (`wl-copy`, `xclip`, `pbcopy`), for terminals that take none.

use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::text;

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs the program, `content` on its standard input. `told` gets an escaped sentence when it did not take it.
///
/// # Errors
/// When no thread can be started.
pub fn start(command: Vec<String>, content: Vec<u8>, told: impl FnOnce(String) + Send + 'static) -> io::Result<()> {
    let body = move || {
        let name = command.first().map(|name| text::shown(name).into_owned()).unwrap_or_default();
        if let Err(why) = run(&command, content) {
            told(format!("not copied: {name}: {why}"));
        }
    };
    std::thread::Builder::new().name("clipboard".to_owned()).spawn(body).map(drop)
}

fn run(command: &[String], content: Vec<u8>) -> Result<(), String> {
    let shown = |error: io::Error| text::shown_display(&error);
    let Some((program, arguments)) = command.split_first() else { return Err("no program is named".to_owned()) };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(shown)?;
    // In a thread of its own: a program that reads nothing would be waited for without end.
    let input = child.stdin.take();
    let writer = std::thread::spawn(move || match input {
        Some(mut input) => input.write_all(&content),
        None => Ok(()),
    });
    let ended = wait(&mut child);
    if ended.is_err() {
        // It ends now, or has ended; what it says about that is of no interest.
        let _gone = (child.kill(), child.wait());
    }
    let written = writer.join();
    match (ended?, written) {
        (status, _) if !status.success() => Err(format!("it ended with {}", text::shown_display(&status))),
        (_, Ok(Err(error))) => Err(shown(error)),
        _ => Ok(()),
    }
}

fn wait(child: &mut Child) -> Result<std::process::ExitStatus, String> {
    let until = Instant::now() + PATIENCE;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() >= until => {
                return Err(format!("it did not end within {} seconds", PATIENCE.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Err(error) => return Err(text::shown_display(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_program_gets_the_exact_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("taken");
        let script = format!("cat > {}", to.display());
        let content = [&b"\x1b]52;c;x\x07\xff\0"[..], &vec![b'a'; 200_000]].concat();
        run(&words(&["sh", "-c", &script]), content.clone()).unwrap();
        assert_eq!(std::fs::read(to).unwrap(), content);
    }

    #[test]
    fn a_program_that_fails_is_told() {
        assert!(run(&words(&["/nonexistent/copier"]), Vec::new()).is_err());
        let why = run(&words(&["sh", "-c", "cat >/dev/null; exit 3"]), b"x".to_vec()).unwrap_err();
        assert!(why.contains("exit status: 3"), "{why}");
        assert_eq!(run(&[], Vec::new()).unwrap_err(), "no program is named");
    }
}
