//! Calls as agents make them: a tool, its inputs, what came back. Invented, plausible, partly non-ASCII.

use super::json::{Json, object};
use super::random::Random;

/// The tools that are called.
pub const TOOLS: [&str; 16] = [
    "web.search",
    "http.fetch",
    "fs.read",
    "fs.write",
    "sql.query",
    "shell.run",
    "git.diff",
    "mail.draft",
    "calendar.free",
    "pdf.text",
    "tide.table",
    "freight.quote",
    "ticket.open",
    "stock.count",
    "map.route",
    "translate.text",
];

const WORDS: [&str; 48] = [
    "harbour",
    "invoice",
    "berth",
    "crane",
    "manifest",
    "delay",
    "weather",
    "north",
    "quay",
    "customs",
    "pallet",
    "reefer",
    "pilot",
    "tonnage",
    "ledger",
    "draft",
    "arrival",
    "window",
    "rate",
    "notice",
    "Gdańsk",
    "Århus",
    "Malmö",
    "Kraków",
    "Zürich",
    "São",
    "naïve",
    "déjà",
    "Łódź",
    "東京",
    "横浜",
    "Ελλάδα",
    "€",
    "№",
    "the",
    "of",
    "and",
    "with",
    "for",
    "at",
    "is",
    "was",
    "not",
    "open",
    "closed",
    "approved",
    "pending",
    "returned",
];

const SCOPES: [&str; 4] = ["public", "team", "harbour-office", "tenant-17"];

/// One of the tools.
pub fn tool(random: &mut Random) -> &'static str {
    random.pick(&TOOLS)
}

/// A caller scope.
pub fn scope(random: &mut Random) -> &'static str {
    random.pick(&SCOPES)
}

/// About `bytes` bytes of words, with the escapes real tool output has.
pub fn prose(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        text.push_str(random.pick(&WORDS));
        text.push_str(match random.below(40) {
            0 => ".\n",
            1 => ", \"as agreed\" ",
            2 => "\t",
            3 => " C:\\cargo\\",
            _ => " ",
        });
    }
    text
}

/// What a tool was asked.
pub fn inputs(random: &mut Random) -> Json {
    object([("limit", (1 + random.below(50)).into()), ("query", prose(random, 18).trim().into())])
}

/// About `bytes` bytes of answer: one long text, table rows, or search results.
pub fn outputs(random: &mut Random, bytes: usize) -> Json {
    match random.below(10) {
        0..4 => object([("text", prose(random, bytes.saturating_sub(12)).into())]),
        4..7 => {
            let rows = (0..(bytes / 96).max(1) as u64).map(|n| {
                let cents = random.below(2_000_000);
                object([
                    ("amount", Json::Raw(format!("{}.{:02}", cents / 100, cents % 100))),
                    ("id", random.below(1_000_000_000).into()),
                    ("name", prose(random, 14).trim().into()),
                    ("note", Json::null()),
                    ("ok", random.chance(0.9).into()),
                    ("row", n.into()),
                ])
            });
            object([("rows", Json::List(rows.collect()))])
        }
        _ => {
            let hits = (0..(bytes / 360).max(1) as u64).map(|rank| {
                object([
                    ("rank", rank.into()),
                    ("score", Json::Raw(format!("0.{:06}", random.below(1_000_000)))),
                    ("snippet", prose(random, 220).into()),
                    ("title", prose(random, 30).trim().into()),
                    ("url", format!("https://example.com/{:x}", random.bits()).into()),
                ])
            });
            object([("results", Json::List(hits.collect())), ("truncated", false.into())])
        }
    }
}

/// The committed form of one call: sorted, compact. `extra` members stand beside inputs and outputs.
pub fn committed(tool: &str, inputs: Json, outputs: Json, extra: &[(&str, Json)]) -> Vec<u8> {
    let mut call = object([("inputs", inputs), ("outputs", outputs), ("tool", tool.into())]);
    for (name, value) in extra {
        call.add(name, value.clone());
    }
    call.sorted().compact().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_about_what_was_asked() {
        let mut random = Random::new(3);
        for bytes in [64usize, 1_000, 20_000] {
            for _ in 0..20 {
                let made = outputs(&mut random, bytes).compact().len();
                assert!(made < bytes * 2 + 512 && made * 3 > bytes, "{bytes} asked, {made} made");
            }
        }
    }
}
