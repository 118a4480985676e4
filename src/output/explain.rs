//! What every class and headline means, and what to do next: the text behind `aerscope explain` and `docs/classes.md`.

use crate::aer1::report::{Class, Headline};

/// One entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What it means, one or two sentences.
    pub means: &'static str,
    /// What an operator should do next.
    pub next: &'static str,
    /// Where the rule stands: `rules §3.12`.
    pub rule: &'static str,
}

/// The class in a few words, as a sentence about a record begins with it.
pub const fn short(class: Class) -> &'static str {
    match class {
        Class::IoError => "the file could not be read",
        Class::NotAFile => "the path is not a regular file",
        Class::TooLarge => "over the size limit",
        Class::EmptyFile => "the file holds no record: it is empty, or white space only",
        Class::JsonEncoding => "the text is not UTF-8",
        Class::JsonTruncated => "the text ends inside a JSON value",
        Class::JsonSyntax => "the text is not JSON",
        Class::JsonDepth => "the JSON is nested deeper than is read",
        Class::JsonSurrogate => "a \\u escape is one half of a surrogate pair",
        Class::DuplicateMember => "a member is named twice: two readers would see two different records",
        Class::VersionMismatch => "the stated schema version is not the one in the committed bytes",
        Class::VersionUnsupported => "the schema version is not known here",
        Class::Base64Alphabet => "a character outside the standard base64 alphabet",
        Class::Base64Padding => "the base64 padding is missing, surplus or misplaced",
        Class::Base64Noncanonical => "the last base64 character carries bits that are not zero",
        Class::Utf8Invalid => "the decoded bytes are not UTF-8",
        Class::MissingMember => "a required member is absent",
        Class::WrongType => "a member has the wrong JSON type",
        Class::ChainSeq => "the sequence numbers do not run from 1 in order",
        Class::ChainJob => "the entries belong to more than one job",
        Class::ChainClose => "the chain is not closed at its last entry and only there",
        Class::MerkleVersionUnsupported => "the leaf rule of the root is not known here",
        Class::WorkflowSeq => "the step numbers do not run in order",
        Class::WorkflowDuplicateId => "one receipt id stands in the workflow twice",
        Class::WorkflowCount => "the stated count is not the number of steps",
        Class::IdSyntax => "the id is not a lowercase hyphenated UUID",
        Class::IdNil => "the id is the nil UUID",
        Class::TimeSyntax => "the time has not the form YYYY-MM-DDTHH:MM:SS[.digits] with Z or an offset",
        Class::TimeCalendar => "the time names a moment that does not exist",
        Class::ToolInvalid => "tool name, version or scope is not a non-empty text",
        Class::ProvenanceUnknown => "the provenance class is none of the three statements",
        Class::StatusNotVerified => "the record does not say verified of itself",
        Class::HashSyntax => "the hash is not written as required",
        Class::HashAlgorithmUnsupported => "the hash algorithm is not sha256",
        Class::LengthMismatch => "the stated length is not the length of the bytes",
        Class::DigestMismatch => "the bytes are not the bytes the record commits to",
        Class::ProvenanceMismatch => "the stated provenance class is not the one in the committed bytes",
        Class::MetadataHashMissing => "a 0.4 receipt without metadata_hash",
        Class::ChainGenesis => "the first entry does not start from 64 zeros",
        Class::ChainLink => "an entry does not carry the digest of the entry before it",
        Class::CommitmentMismatch => "the commitment does not agree with the chain",
        Class::MerkleRootMismatch => "the Merkle root is not the root of the listed steps",
        Class::EnvelopeMismatch => "the wrapper states something else than the receipt in it",
        Class::IdMismatch => "the record is not the expected one",
        Class::ProviderError => "the provider answered with an error instead of a receipt",
        Class::ChainHistorical => "every link holds by the older construction, which is no longer current",
        Class::ProfileInputs => "the bytes are not a JSON object with inputs, which the reference profile asks for",
        Class::AnchorFailed => "the anchored profile asks for an anchor whose fields agree, and there is none",
    }
}

const fn entry(means: &'static str, next: &'static str, rule: &'static str) -> Explained {
    Explained { means, next, rule }
}

/// What a headline means, what to do next, and its rule.
pub const fn explain_headline(headline: Headline) -> Explained {
    match headline {
        Headline::Verified => entry(
            "A complete published receipt of a known version whose bytes match the hash, and which says verified of itself. It shows what the recording system recorded; it does not show that the result was right. Up to 0.3, id, tool, time and class are labels that the hash does not cover.",
            "Nothing, unless you rely on the labels: then compare the id with its source (--expect-id, --resolved).",
            "rules §1",
        ),
        Headline::Intact => entry(
            "What must agree agrees, but the record claims or proves less than a verified one: a transport receipt, transport names, another status, a metadata_hash that cannot be recomputed, a chain or a workflow.",
            "Read the reason beside it. It is not a failure, and not a pass either.",
            "rules §1",
        ),
        Headline::Unavailable => entry(
            "There is nothing to compare: no bytes (a pointer, a projection, a provider failure), an error instead of a receipt, or a commitment without its chain. Shown as unchecked.",
            "Get the original record, if there is one. Absent evidence is neither a pass nor a failure.",
            "rules §1",
        ),
        Headline::Unsupported => entry(
            "A version, a leaf rule or a hash algorithm that this program cannot interpret. The core fields are still shown.",
            "Look for a newer aerscope, or ask the producer. It is neither a pass nor a failure.",
            "rules §1",
        ),
        Headline::Malformed => entry(
            "A layer of checking failed: the record is not written as it must be, and the class says where.",
            "Read the class; repair what wrote the record, never the record.",
            "rules §1, §3",
        ),
        Headline::Mismatch => entry(
            "Two things that must agree do not: bytes and hash, length, version, class, id, wrapper, chain link, commitment, count or root.",
            "Keep the file, get the record again from its source, compare. The class says which two.",
            "rules §1",
        ),
        Headline::NotReceipt => entry(
            "Readable JSON that is none of the known kinds. Shown as other file, hidden in the console unless asked for, not counted by verify.",
            "Nothing, unless a receipt was expected in this file.",
            "rules §1, §2.10",
        ),
        Headline::Unreadable => entry(
            "The file could not be read, or is over the size limit. Nothing is known about its content.",
            "Look at the class: permissions, the kind of file, or --max-size.",
            "rules §1, §3.1",
        ),
    }
}

/// What a class means, what to do next, and its rule.
pub const fn explain(class: Class) -> Explained {
    match class {
        Class::IoError => entry(
            "The operating system refused to open or read the file. Nothing is known about its content.",
            "Look at the named error: permissions, a link that leads nowhere, a failing disk. Then check the file again.",
            "rules §3.1",
        ),
        Class::NotAFile => entry(
            "The path leads to a folder, a link, a pipe, a socket or a device where a regular file was asked for. Links are not followed.",
            "Name the file itself, or the folder that holds it.",
            "rules §3.1",
        ),
        Class::TooLarge => entry(
            "The file, or one line of a line-wise file, is larger than the limit (64 MiB unless set). It was not read.",
            "If a receipt of that size is expected, raise the limit with --max-size; else find out what wrote it.",
            "rules §3.1",
        ),
        Class::EmptyFile => entry(
            "The file holds no byte, or only a byte order mark and white space.",
            "Look for a writer that failed or a full disk; a file that was just created may still be filled.",
            "rules §3.1",
        ),
        Class::JsonEncoding => entry(
            "The text is not UTF-8: invalid bytes, or the mark of UTF-16 or UTF-32. JSON is exchanged as UTF-8.",
            "Ask the producer for the original file; converting it is the producer's decision, since the bytes are evidence.",
            "rules §3.2",
        ),
        Class::JsonTruncated => entry(
            "The text ends before its value does. In a folder that is being written this can be a write in progress.",
            "Check again once the writer is done. If it stays cut off, get the record again from its source.",
            "rules §3.2",
        ),
        Class::JsonSyntax => entry(
            "The text is not JSON by the grammar: comments, single quotes, trailing commas, NaN and Infinity are not.",
            "Repair the serializer that wrote it; do not edit the file, which is the evidence.",
            "rules §3.2",
        ),
        Class::JsonDepth => entry(
            "Objects or arrays are nested over 128 levels. Deeper text is refused so that no reader can be exhausted.",
            "Look at what the producer nests; a receipt needs a handful of levels.",
            "rules §3.2",
        ),
        Class::JsonSurrogate => entry(
            "A \\u escape stands for one half of a surrogate pair. It names no character, and readers disagree on what it becomes.",
            "Repair the producer's string handling; most often it cut a text in the middle of a character.",
            "rules §3.2",
        ),
        Class::DuplicateMember => entry(
            "One object names a member twice. Two readers may take different values, so there is no single record to verify.",
            "Treat the record as unusable and find out which program wrote or changed it.",
            "rules §3.2",
        ),
        Class::VersionMismatch => entry(
            "The stated receipt_schema_version differs from the one inside the committed bytes, and the bytes match their hash.",
            "Go by the committed one when you investigate; the label outside was changed or written wrongly.",
            "rules §3.3",
        ),
        Class::VersionUnsupported => entry(
            "The stated version is none that this program knows (0.1 to 0.4). The core fields are shown; members it cannot interpret are listed as not evaluated.",
            "Look for a newer aerscope, or ask the producer which draft it follows. This is neither a pass nor a failure.",
            "rules §3.3",
        ),
        Class::Base64Alphabet => entry(
            "canonical_bytes holds a character outside A–Z a–z 0–9 + / =. White space and the URL alphabet (- and _) are outside too.",
            "Have the producer encode with the standard alphabet and without line breaks.",
            "rules §3.4",
        ),
        Class::Base64Padding => entry(
            "canonical_bytes has a length or an = that no base64 text has: padding missing, surplus or in the wrong place.",
            "Look for an encoder that leaves out padding, or for a text that was cut.",
            "rules §3.4",
        ),
        Class::Base64Noncanonical => entry(
            "The last character of canonical_bytes carries bits that belong to no byte and are not zero. The same bytes have one other spelling, and only that one is accepted.",
            "Have the producer encode the bytes again with a strict encoder.",
            "rules §3.4",
        ),
        Class::Utf8Invalid => entry(
            "The decoded bytes are not UTF-8; surrogates and overlong forms count as invalid.",
            "Look at the hex view at the named byte. A binary result has to be encoded as text before it is committed.",
            "rules §3.5",
        ),
        Class::MissingMember => entry(
            "A member that this kind of record must have is not there.",
            "Compare with the list of members in rules §3.6, §6 or §7, and repair the producer or the projection that dropped it.",
            "rules §3.6",
        ),
        Class::WrongType => entry(
            "A member is there with another JSON type than required; null counts as a type.",
            "Repair the producer: numbers are not texts, and an absent value is left out, not null.",
            "rules §3.6",
        ),
        Class::ChainSeq => entry(
            "The entries' seq is not 1, 2, 3 … in the order in which they stand.",
            "Look for entries that were left out, repeated or moved.",
            "rules §6",
        ),
        Class::ChainJob => entry(
            "The entries of one chain name more than one job_id.",
            "Look for two timelines that were joined, or for an entry taken from another job.",
            "rules §6",
        ),
        Class::ChainClose => entry(
            "close must be true on the last entry and on no other. Here it is absent there, or stands earlier.",
            "If the chain is still growing, check again when it is closed. Else its end is missing, or something was added after it.",
            "rules §6",
        ),
        Class::MerkleVersionUnsupported => entry(
            "merkle_version names a leaf rule that this program does not know, so the root cannot be recomputed.",
            "Look for a newer aerscope, or ask the producer how it builds the leaves. This is neither a pass nor a failure.",
            "rules §7",
        ),
        Class::WorkflowSeq => entry(
            "The numbers of the steps do not run 1..n (0..n-1 for step_index) in the order in which they stand.",
            "Look for steps that were left out, repeated or moved.",
            "rules §7",
        ),
        Class::WorkflowDuplicateId => entry(
            "The same receipt id is listed for two steps. It is refused whatever the root says: an odd step paired with itself can give the same root as one that stands twice.",
            "Look for a step that was listed twice.",
            "rules §7",
        ),
        Class::WorkflowCount => entry(
            "count and the number of listed steps differ.",
            "Look for steps that are missing from the list, or were added to it.",
            "rules §7",
        ),
        Class::IdSyntax => entry(
            "The id is not 32 lowercase hexadecimal digits in the form 8-4-4-4-12, with nothing before or after it.",
            "Repair the producer: capital letters, braces, and a line break at the end are not allowed.",
            "rules §3.7",
        ),
        Class::IdNil => entry(
            "The id is the UUID that is all zeros. It identifies nothing.",
            "Repair the producer; most often an id was never set.",
            "rules §3.7",
        ),
        Class::TimeSyntax => entry(
            "The time is not written YYYY-MM-DDTHH:MM:SS[.digits] with a capital T and Z or ±HH:MM. This is narrower than RFC 3339, which also allows small letters and a space; the message says so where RFC 3339 alone would allow the value.",
            "Have the producer write the time in this form, zone included.",
            "rules §3.8",
        ),
        Class::TimeCalendar => entry(
            "The time has the form and names no moment: 30 February, hour 24, second 60, year 0. RFC 3339 alone allows a leap second and year 0000; the message says so.",
            "Repair the producer's clock or its formatting; do not correct the record by hand.",
            "rules §3.8",
        ),
        Class::ToolInvalid => entry(
            "The tool must have a name, a version and a scope, each a non-empty text.",
            "Have the producer state all three; a record without them does not say which capability was used and for whom.",
            "rules §3.9",
        ),
        Class::ProvenanceUnknown => entry(
            "provenance_class is none of EXECUTED BY and a name in capitals, OBSERVED VIA GATEWAY, LOGGED BY AGENT.",
            "Ask the producer which of the three statements it makes. They are not interchangeable.",
            "rules §3.10",
        ),
        Class::StatusNotVerified => entry(
            "The bytes match, but verification_status is something other than verified. The word stays as the producer wrote it.",
            "Read the record's own status: the producer itself claims less, and nothing here raises it.",
            "rules §3.11",
        ),
        Class::HashSyntax => entry(
            "A hash is not written as required: sha256: and 64 lowercase hexadecimal digits for output_hash, the bare digits for a Merkle root.",
            "Repair the producer: capital digits, a missing prefix, and a line break at the end are not allowed.",
            "rules §3.12",
        ),
        Class::HashAlgorithmUnsupported => entry(
            "hash_algorithm is present and is not exactly sha256, so this program cannot recompute the hash.",
            "Ask the producer for a sha256 commitment. This is neither a pass nor a failure.",
            "rules §3.12",
        ),
        Class::LengthMismatch => entry(
            "canonical_byte_length differs from the number of decoded bytes.",
            "Compare with the hash: if the hash matches, the length was written wrongly; else the bytes were cut or extended.",
            "rules §3.12",
        ),
        Class::DigestMismatch => entry(
            "SHA-256 of the decoded bytes is not the hash the record declares. The bytes or the hash changed after they were bound, or were never bound. It does not say which, nor who did it.",
            "Keep the file as it is, get the record again from its source, and compare the two byte by byte. Do not act on the content.",
            "rules §3.12",
        ),
        Class::ProvenanceMismatch => entry(
            "The bytes commit to a provenance class, and the class outside differs; from 0.4 on, a class that the bytes do not commit to counts as different too.",
            "Go by the committed class when you investigate; the label outside claims something else.",
            "rules §3.13",
        ),
        Class::MetadataHashMissing => entry(
            "A 0.4 receipt must carry metadata_hash, and this one does not.",
            "Ask the producer for the whole receipt, or whether it really follows 0.4.",
            "rules §3.13",
        ),
        Class::ChainGenesis => entry(
            "The first entry's prev_digest is not 64 zeros: something may have stood before it.",
            "Look for entries that were cut off the beginning.",
            "rules §6",
        ),
        Class::ChainLink => entry(
            "An entry's prev_digest is not the recomputed digest of the entry before it: one of the two was changed, removed or inserted.",
            "Compare the named entry and the one before it with another copy of the timeline.",
            "rules §6",
        ),
        Class::CommitmentMismatch => entry(
            "The commitment names another job, another number of entries or another final digest than the chain beside it.",
            "Look for entries cut off the end, or for a commitment to another chain.",
            "rules §6",
        ),
        Class::MerkleRootMismatch => entry(
            "The root recomputed from the listed steps is not merkle_root: a step that the root covers was changed, moved, added or removed.",
            "Compare the list with another copy; what the root covers is said beside it.",
            "rules §7",
        ),
        Class::EnvelopeMismatch => entry(
            "The wrapper around the receipt (an event, a verify endpoint's answer) states another id, time, source, type, class or version than the receipt.",
            "Find out whether the wrapper was put around the wrong receipt.",
            "rules §2.2, §2.3",
        ),
        Class::IdMismatch => entry(
            "The record does not have the expected id, or differs from the separately resolved record.",
            "Check that the right file was named: a redirect or two mixed-up attempts are the usual cause.",
            "rules §4",
        ),
        Class::ProviderError => entry(
            "A JSON-RPC response carries an error and no receipt. The call is recorded as failed; there are no bytes.",
            "Read the provider's message. Keep the file: a failure is evidence too, and never becomes a success.",
            "rules §2.1",
        ),
        Class::ChainHistorical => entry(
            "Every link holds, but by an older construction in which each entry carries the digest of the bytes before it and nothing covers order, job or tool.",
            "Ask the producer for the current construction; read this one for its bytes only.",
            "rules §6",
        ),
        Class::ProfileInputs => entry(
            "The reference profile asks for bytes that are a JSON object with a member inputs; these are not.",
            "Use --profile core if the profile was not meant, else have the producer commit the inputs.",
            "reference profile",
        ),
        Class::AnchorFailed => entry(
            "The anchored profile asks for a version 4 id and an anchor whose fields agree with the record; here one is absent or does not agree.",
            "Read the anchor's faults. Even a clean anchor says only that its fields are consistent: the log is not contacted.",
            "rules §5",
        ),
    }
}

/// The whole table as Markdown: what `docs/classes.md` holds.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Headlines and classes\n\n\
         Made by `aerscope explain --markdown`; a test compares this file with what the program says.\n\
         Machine strings are stable: they are never renamed, and new ones may come.\n\n\
         ## Headlines\n\n\
         Every record gets one. Failing are `malformed` and `mismatch`; only `verified` is green.\n\n\
         | headline | shown as | means | next | rule |\n|---|---|---|---|---|\n",
    );
    for headline in Headline::ALL {
        let e = explain_headline(*headline);
        let shown = super::sentence::word(*headline);
        let glyph = super::sentence::glyph(*headline).0;
        let (means, next) = (cell(e.means), cell(e.next));
        out.push_str(&format!("| `{}` | {glyph} {shown} | {means} | {next} | {} |\n", headline.as_str(), e.rule));
    }
    out.push_str(
        "\n## Classes\n\n\
         The class says why, in the order of the layers in which faults speak; `digest_mismatch` speaks before all.\n\n\
         | class | headline | layer | means | next | rule |\n|---|---|---|---|---|---|\n",
    );
    for class in Class::ALL {
        let e = explain(*class);
        out.push_str(&format!(
            "| `{}` | `{}` | {} | {} | {} | {} |\n",
            class.as_str(),
            class.headline().as_str(),
            class.layer().as_str(),
            cell(e.means),
            cell(e.next),
            e.rule
        ));
    }
    out
}

/// A text as one cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('_', "\\_").replace('<', "\\<")
}

/// One class or headline by its machine string, as lines of text; `None` when the word is neither.
pub fn about(word: &str) -> Option<String> {
    let class = Class::from_word(word);
    let headline = Headline::from_word(word);
    let (title, e) = match (class, headline) {
        (Some(class), _) => (
            format!(
                "{}: {}\nheadline: {}\nlayer:    {}\n",
                word,
                short(class),
                class.headline().as_str(),
                class.layer().as_str()
            ),
            explain(class),
        ),
        (None, Some(headline)) => {
            let glyph = super::sentence::glyph(headline);
            (
                format!("{word}: shown as {} {}, in ASCII {}\n", glyph.0, super::sentence::word(headline), glyph.1),
                explain_headline(headline),
            )
        }
        (None, None) => return None,
    };
    Some(format!("{title}\nmeans: {}\nnext:  {}\nrule:  {}\n", e.means, e.next, e.rule))
}

/// Every headline and class with a few words each.
pub fn table() -> String {
    let mut out = String::from("headlines\n");
    for headline in Headline::ALL {
        let (glyph, _) = super::sentence::glyph(*headline);
        let first = explain_headline(*headline).means.split_inclusive(". ").next().unwrap_or_default();
        out.push_str(&format!("  {glyph} {:<13}{}\n", headline.as_str(), first.trim_end().trim_end_matches('.')));
    }
    out.push_str("\nclasses\n");
    for class in Class::ALL {
        out.push_str(&format!("  {:<28}{:<13}{}\n", class.as_str(), class.headline().as_str(), short(*class)));
    }
    out.push_str("\nMore about one of them: aerscope explain CLASS\n");
    out
}
