//! Why a command did not run: one escaped sentence that names the path or argument and the next step.

use std::path::Path;

use aerscope::text;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{Exit, tell};

/// One sentence, escaped. Its exit status is 2.
#[derive(Debug)]
pub struct Refusal(String);

impl Refusal {
    /// A sentence of our own. Foreign parts must be escaped already.
    pub fn new(sentence: impl Into<String>) -> Refusal {
        Refusal(sentence.into())
    }

    /// About a path that cannot be used.
    pub fn path(path: &Path, what: &str, next: &str) -> Refusal {
        Refusal(format!("{}: {what}; {next}", text::shown_path(path)))
    }

    /// About a path that the system refuses.
    pub fn io(path: &Path, error: &std::io::Error, next: &str) -> Refusal {
        Refusal::path(path, &plain_io(error), next)
    }

    /// Prints the sentence to standard error.
    pub fn report(&self) -> Exit {
        tell(&self.0);
        Exit::Usage
    }
}

/// An operating system's error without the number that Rust adds, escaped.
pub fn plain_io(error: &std::io::Error) -> String {
    let shown = error.to_string();
    let bare = shown.split(" (os error").next().unwrap_or_default();
    let mut chars = bare.chars();
    let lower = chars.next().map(|c| c.to_lowercase().chain(chars).collect::<String>()).unwrap_or_default();
    text::shown(&lower).into_owned()
}

/// What clap found, in one sentence. What a user typed is foreign text.
///
/// `command` is the command that was asked for, if any: its help is the next step.
pub fn of_clap(error: &clap::Error, command: Option<&str>) -> Refusal {
    let get = |kind| error.get(kind).map(context).unwrap_or_default();
    let argument = get(ContextKind::InvalidArg);
    let value = get(ContextKind::InvalidValue);
    let help = match command {
        Some(command) => format!("aerscope {command} --help"),
        None => "aerscope --help".to_owned(),
    };
    let said = match error.kind() {
        ErrorKind::UnknownArgument => match get(ContextKind::SuggestedArg).as_str() {
            "" => format!("there is no option {argument}"),
            near => format!("there is no option {argument}; did you mean {near}"),
        },
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} wants a value"),
        ErrorKind::InvalidValue => match get(ContextKind::ValidValue).as_str() {
            "" => format!("{argument} cannot be {value}"),
            valid => format!("{argument} cannot be {value}; it is one of {valid}"),
        },
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(|s| text::shown(&s.to_string()).into_owned());
            format!("{argument} cannot be {value}: {}", why.unwrap_or_else(|| "it cannot be read".to_owned()))
        }
        ErrorKind::InvalidSubcommand => format!("there is no command {}", get(ContextKind::InvalidSubcommand)),
        ErrorKind::MissingRequiredArgument => format!("{argument} must be given"),
        ErrorKind::ArgumentConflict if get(ContextKind::PriorArg).is_empty() => {
            format!("{argument} cannot stand with what else was given")
        }
        ErrorKind::ArgumentConflict if get(ContextKind::PriorArg) == argument => {
            format!("{argument} can be given once")
        }
        ErrorKind::ArgumentConflict => format!("{argument} cannot stand with {}", get(ContextKind::PriorArg)),
        ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues | ErrorKind::TooFewValues => {
            format!("{argument} was given another number of values than it takes")
        }
        ErrorKind::NoEquals => format!("{argument} wants its value after an equals sign"),
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8".to_owned(),
        _ => {
            let whole = error.render().to_string();
            let head = whole.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
            text::shown(&head.replace('\n', " ")).into_owned()
        }
    };
    Refusal::new(format!("{said}; see {help}"))
}

/// What clap remembers about an error, escaped.
fn context(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(all) => {
            all.iter().map(|s| text::shown_cut(s, 200).into_owned()).collect::<Vec<_>>().join(", ")
        }
        ContextValue::String(one) => text::shown_cut(one, 200).into_owned(),
        ContextValue::StyledStr(text) => text::shown_cut(&text.to_string(), 200).into_owned(),
        ContextValue::StyledStrs(all) => {
            all.iter().map(|s| text::shown_cut(&s.to_string(), 200).into_owned()).collect::<Vec<_>>().join(", ")
        }
        ContextValue::Number(n) => n.to_string(),
        ContextValue::Bool(b) => b.to_string(),
        _ => String::new(),
    }
}
