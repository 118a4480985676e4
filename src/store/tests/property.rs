//! Random changes: what is kept up to date equals what is made from nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::store::query::{Filter, Sort, SortKey, View};

#[derive(Clone, Debug)]
enum Act {
    Read { file: u32, receipt: Shape },
    Lines { file: u32, receipts: Vec<Shape> },
    Grow { file: u32, receipt: Shape },
    Writing(u32),
    Removed(u32),
    Limit(usize),
    Step(usize),
}

#[derive(Clone, Debug)]
struct Shape {
    id: u32,
    bytes: u8,
    tool: u8,
    inputs: u8,
    created: Option<u8>,
    seq: Option<i64>,
    link: u8,
    points: Vec<u32>,
    headline: u8,
}

fn shape() -> impl Strategy<Value = Shape> {
    let link = (0u32..8, 0u8..4, 0u8..3, 0u8..3, prop::option::weighted(0.8, 0u8..4));
    let points = prop_oneof![6 => Just(0..=0), 2 => Just(1..=1), 1 => Just(2..=2)]
        .prop_flat_map(|many| prop::collection::vec(0u32..8, many));
    let more = (prop::option::weighted(0.2, 0i64..3), 0u8..6, points, 0u8..8);
    (link, more).prop_map(|((id, bytes, tool, inputs, created), (seq, link, points, headline))| Shape {
        id,
        bytes,
        tool,
        inputs,
        created,
        seq,
        link,
        points,
        headline,
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        10 => (0u32..12, shape()).prop_map(|(file, receipt)| Act::Read { file, receipt }),
        3 => (12u32..15, prop::collection::vec(shape(), 0..4)).prop_map(|(file, receipts)| Act::Lines { file, receipts }),
        2 => (12u32..15, shape()).prop_map(|(file, receipt)| Act::Grow { file, receipt }),
        2 => (0u32..15).prop_map(Act::Writing),
        2 => (0u32..15).prop_map(Act::Removed),
        1 => (5usize..20).prop_map(Act::Limit),
        6 => (0usize..20).prop_map(Act::Step),
    ]
}

fn report(shape: &Shape) -> Report {
    let mut report = receipt(shape.id, shape.bytes);
    report.id = (shape.id > 0).then(|| uuid(shape.id));
    report.bytes.recomputed = (shape.bytes > 0).then_some([shape.bytes; 32]);
    report.tool = (shape.tool > 0).then(|| format!("tool{}", shape.tool));
    report.inputs = (shape.inputs > 0).then_some([shape.inputs; 16]);
    report.created = shape.created.map(|c| at(i64::from(c)));
    report.seq = shape.seq;
    report.headline = Headline::ALL[usize::from(shape.headline)];
    report.points_to = shape.points.iter().map(|n| uuid(*n)).collect();
    match shape.link {
        0 | 1 => linked(report, "job_id", &shape.link.to_string(), false),
        2 => linked(report, "correlation_id", "c", true),
        _ => report,
    }
}

fn path(file: u32) -> String {
    format!("{}/{file:02}.json", ["b", "a"][file as usize % 2])
}

/// What is known of each row, as plainly as can be.
#[derive(Clone, Debug, Default)]
struct Model {
    reports: HashMap<RowId, Report>,
    lines: HashMap<u32, u32>,
}

fn apply(store: &mut Store, model: &mut Model, act: &Act) {
    let (file, change) = match act {
        Act::Read { file, receipt } => (*file, read(*file, &path(*file), vec![report(receipt)])),
        Act::Lines { file, receipts } => {
            let records = receipts.iter().zip(1u32..).map(|(r, line)| on_line(report(r), line)).collect();
            model.lines.insert(*file, u32::try_from(receipts.len()).unwrap());
            (*file, read(*file, &path(*file), records))
        }
        Act::Grow { file, receipt } => {
            let line = model.lines.entry(*file).or_default();
            *line += 1;
            (*file, part(read(*file, &path(*file), vec![on_line(report(receipt), *line)]), false, true))
        }
        Act::Writing(file) => (*file, writing(*file, &path(*file))),
        Act::Removed(file) => (*file, Change::Removed { file: FileNo(*file) }),
        Act::Limit(rows) => {
            store.limit(*rows);
            return;
        }
        Act::Step(_) => return,
    };
    if let Change::Read(read) = &change {
        let records = read.records.clone();
        store.apply(change, at(0));
        for report in records {
            let id = store.find(Path::new(&path(file)), report.place).unwrap();
            model.reports.insert(id, report);
        }
    } else {
        store.apply(change, at(0));
    }
}

fn all(store: &Store) -> Vec<RowId> {
    (0..1000).filter(|id| store.row(*id).is_some()).collect()
}

/// Rules §9, row by row against row.
fn chains(store: &Store, model: &Model) -> BTreeMap<RowId, (u32, u32)> {
    let rows: Vec<RowId> = all(store).into_iter().filter(|id| model.reports.contains_key(id)).collect();
    let rep = |id: &RowId| &model.reports[id];
    let call = |id: &RowId| {
        let r = rep(id);
        r.correlation.as_ref().map(|c| {
            let inner = (!c.explicit).then(|| (r.tool.clone(), r.inputs));
            (c.field.clone(), c.value.clone(), inner)
        })
    };
    let joined = |a: &RowId, b: &RowId| {
        let points = |a: &RowId, b: &RowId| rep(a).points_to.iter().any(|p| rep(b).id.as_ref() == Some(p));
        call(a).is_some() && call(a) == call(b) || points(a, b) || points(b, a)
    };
    let order = |id: &RowId| {
        let r = rep(id);
        let row = store.row(*id).unwrap();
        let place = (row.place.line, row.place.index());
        (r.created.is_none(), r.created, r.seq.is_none(), r.seq, row.path.to_path_buf(), place, *id)
    };
    let mut result = BTreeMap::new();
    let mut seen = HashSet::new();
    for start in &rows {
        if !seen.insert(*start) {
            continue;
        }
        let mut component = vec![*start];
        let mut at = 0;
        while at < component.len() {
            let here = component[at];
            for other in &rows {
                if !seen.contains(other) && joined(&here, other) {
                    seen.insert(*other);
                    component.push(*other);
                }
            }
            at += 1;
        }
        let mut attempts: Vec<Vec<RowId>> = Vec::new();
        let copy = |a: &RowId, b: &RowId| {
            let (a, b) = (rep(a), rep(b));
            a.id.is_some() && a.id == b.id && a.bytes.recomputed.is_some() && a.bytes.recomputed == b.bytes.recomputed
        };
        for id in component {
            match attempts.iter_mut().find(|a| copy(&a[0], &id)) {
                Some(copies) => copies.push(id),
                None => attempts.push(vec![id]),
            }
        }
        let removed = |id: &RowId| store.row(*id).unwrap().state == RowState::Removed;
        for copies in &mut attempts {
            copies.sort_by_key(|id| (removed(id), order(id)));
        }
        attempts.sort_by_key(|copies| order(&copies[0]));
        let of = u32::try_from(attempts.len()).unwrap();
        for (copies, n) in attempts.iter().zip(1u32..) {
            for id in copies.iter().filter(|_| of >= 2) {
                result.insert(*id, (n, of));
            }
        }
    }
    result
}

fn counted(store: &Store) -> (Vec<u64>, u64, u64, u64) {
    let mut by = vec![0u64; Headline::ALL.len()];
    let (mut writing, mut removed) = (0, 0);
    let mut files = HashSet::new();
    for id in all(store) {
        let row = store.row(id).unwrap();
        match row.state {
            RowState::Known => by[row.headline as usize] += 1,
            RowState::Writing => writing += 1,
            RowState::Removed => removed += 1,
        }
        if row.state != RowState::Removed {
            files.insert(row.file);
        }
    }
    (by, writing, removed, files.len() as u64)
}

/// Filter and order, made from nothing.
fn made(store: &Store, filter: &Filter, sort: Sort) -> Vec<RowId> {
    let mut ids: Vec<RowId> = all(store).into_iter().filter(|id| filter.fits(store, *id)).collect();
    let none_last = |a: Option<String>, b: Option<String>| match (&a, &b) {
        (Some(_), Some(_)) if sort.reverse => b.cmp(&a),
        (Some(_), Some(_)) => a.cmp(&b),
        _ => a.is_none().cmp(&b.is_none()),
    };
    ids.sort_by(|a, b| {
        let (ra, rb) = (store.row(*a).unwrap(), store.row(*b).unwrap());
        let text = |t: &str| (!t.is_empty()).then(|| t.to_owned());
        let time = |m: Option<Moment>| m.map(|m| format!("{:020}.{:09}", m.secs, m.nanos));
        let file = |r: &RowRef<'_>| {
            let dir = r.path.parent().unwrap().to_path_buf();
            (dir, r.path.file_name().unwrap().to_owned(), r.place)
        };
        let plain = match sort.key {
            SortKey::Created => return none_last(time(ra.created), time(rb.created)).then(directed(sort, a.cmp(b))),
            SortKey::Tool => return none_last(text(ra.tool), text(rb.tool)).then(directed(sort, a.cmp(b))),
            SortKey::Status => return none_last(text(ra.status), text(rb.status)).then(directed(sort, a.cmp(b))),
            SortKey::Arrival => a.cmp(b),
            SortKey::File => file(&ra).cmp(&file(&rb)),
            SortKey::Size => ra.size.cmp(&rb.size),
            SortKey::Verdict => {
                let rank = |r: &RowRef<'_>| {
                    let words =
                        ["verified", "intact", "unavailable", "unsupported", "unreadable", "malformed", "mismatch"];
                    let at = words.iter().position(|w| *w == r.headline.as_str()).unwrap_or(7);
                    (r.state == RowState::Writing, if r.state == RowState::Writing { 0 } else { at }, r.class)
                };
                rank(&ra).cmp(&rank(&rb))
            }
        };
        directed(sort, plain.then(a.cmp(b)))
    });
    ids
}

fn directed(sort: Sort, order: std::cmp::Ordering) -> std::cmp::Ordering {
    if sort.reverse { order.reverse() } else { order }
}

const FILTERS: [&str; 10] = [
    "",
    "verdict:failing,verified",
    "tool:tool1 -verdict:other",
    "chain:retried",
    "chain:failed verdict:other,failing,verified,intact,unchecked,unsupported,unreadable",
    "-chain:retried kind:published,none verdict:verified,other",
    "state:removed",
    "file:a/ verdict:verified",
    "0003 -state:rewritten",
    "since:2026-09-21T13:33:21Z",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kept_up_to_date_equals_made_anew(acts in prop::collection::vec(act(), 1..60), first in 0usize..70) {
        let mut store = Store::new();
        let mut model = Model::default();
        let mut views: Vec<View> = (0..14usize)
            .map(|n| {
                let filter = Filter::parse(FILTERS[(n + first) % FILTERS.len()], at(0)).unwrap();
                View::new(filter, Sort { key: SortKey::ALL[n % 7], reverse: n >= 7 }).in_runs_of(1 + n % 4)
            })
            .collect();
        for act in &acts {
            apply(&mut store, &mut model, act);
            if let Act::Step(n) = act {
                let view = &mut views[n % 14];
                if *n >= 14 {
                    view.set(view.filter().clone(), view.sort());
                }
                view.step(&store, Duration::ZERO);
            }
        }
        let (by, writing, removed, files) = counted(&store);
        let totals = *store.totals();
        prop_assert_eq!(Headline::ALL.iter().map(|h| totals.of(*h)).collect::<Vec<_>>(), by);
        prop_assert_eq!((totals.writing, totals.removed, totals.files), (writing, removed, files));
        let kept: BTreeMap<RowId, (u32, u32)> =
            all(&store).into_iter().filter_map(|id| store.attempt(id).map(|a| (id, a))).collect();
        prop_assert_eq!(kept, chains(&store, &model));
        for view in &mut views {
            while !view.step(&store, Duration::ZERO) {}
            prop_assert_eq!(view.ids(), made(&store, view.filter(), view.sort()), "{:?} {:?}", view.filter().text(), view.sort());
        }
    }
}
