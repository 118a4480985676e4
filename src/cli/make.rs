//! `aerscope make`: writes test data. Hidden from the help; tests and benchmarks use it.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::words::Headline;
use aerscope::make::bulk::{self, Made, Plan};
use aerscope::make::corpus;
use aerscope::make::gateway::Gateway;

use super::{Exit, Outcome, Refusal};

/// Write test data: our own vectors, receipts in bulk, or a gateway's traffic
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Vectors(Vectors),
    Receipts(Receipts),
    Gateway(Traffic),
}

/// Write the vectors of this repository into a folder
#[derive(Debug, clap::Args)]
struct Vectors {
    /// The folder; files of the same names are replaced
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Write any number of receipts, the same for the same arguments
#[derive(Debug, clap::Args)]
struct Receipts {
    /// How many
    #[arg(long, value_name = "N")]
    n: u64,
    /// One file a receipt into this folder
    #[arg(long, value_name = "DIR", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    out: Option<PathBuf>,
    /// One line a receipt into this file
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Where the numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Median payload size in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1024)]
    median: u64,
    /// Spread of the sizes
    #[arg(long, value_name = "X", default_value_t = 1.6)]
    sigma: f64,
    /// Largest payload in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    cap: u64,
    /// Every payload about this many bytes
    #[arg(long, value_name = "BYTES")]
    fixed: Option<u64>,
    /// The share of defective receipts, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    bad: f64,
    /// Files without indentation
    #[arg(long)]
    compact: bool,
    /// Write the expected verdict of each receipt into this file: id, headline, class
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
}

/// Write what a gateway writes, into a folder that exists
#[derive(Debug, clap::Args)]
struct Traffic {
    /// The folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// How many at once to begin with
    #[arg(long, value_name = "N", default_value_t = 40)]
    burst: usize,
    /// How many a second after that
    #[arg(long, value_name = "X", default_value_t = 2.0)]
    per_second: f64,
    /// For how long, in seconds
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    seconds: f64,
    /// Where the numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Writes what was asked for.
pub fn run(args: &Args) -> Outcome {
    match &args.what {
        What::Vectors(vectors) => write_vectors(&vectors.dir),
        What::Receipts(receipts) => write_receipts(receipts),
        What::Gateway(traffic) => write_traffic(traffic),
    }
}

fn refused(path: &Path) -> impl Fn(std::io::Error) -> Refusal + '_ {
    move |error| Refusal::io(path, &error, "name a place that can be written")
}

fn write_vectors(dir: &Path) -> Outcome {
    fs::create_dir_all(dir).map_err(refused(dir))?;
    for (name, bytes) in corpus::make() {
        let path = dir.join(name);
        fs::write(&path, bytes).map_err(refused(&path))?;
    }
    Ok(Exit::Good)
}

fn write_receipts(args: &Receipts) -> Outcome {
    let plan = Plan {
        count: args.n,
        seed: args.seed,
        median: args.median,
        sigma: args.sigma,
        cap: args.cap,
        fixed: args.fixed,
        bad: args.bad,
        compact: args.compact,
    };
    let mut expect = match &args.expect {
        Some(path) => Some(BufWriter::new(fs::File::create(path).map_err(refused(path))?)),
        None => None,
    };
    let mut trouble = None;
    let mut each = |made: &Made| {
        if let Some(out) = &mut expect {
            let headline = made.class.map_or(Headline::Verified, |c| c.headline()).as_str();
            let class = made.class.map_or("-", |c| c.as_str());
            if let Err(error) = writeln!(out, "{}\t{headline}\t{class}", made.id) {
                trouble = Some(error);
            }
        }
    };
    if let Some(dir) = &args.out {
        bulk::write_folder(dir, plan, &mut each).map_err(refused(dir))?;
    } else if let Some(file) = &args.jsonl {
        bulk::write_lines(file, plan, &mut each).map_err(refused(file))?;
    }
    if let (Some(mut out), Some(path)) = (expect, &args.expect) {
        trouble.map_or_else(|| out.flush(), Err).map_err(refused(path))?;
    }
    Ok(Exit::Good)
}

fn write_traffic(args: &Traffic) -> Outcome {
    let mut gateway = Gateway::new(&args.dir, args.seed, Moment::of(SystemTime::now()));
    gateway.burst(args.burst).map_err(refused(&args.dir))?;
    if args.seconds > 0.0 {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| gateway.run(&stop, args.per_second));
            std::thread::sleep(Duration::try_from_secs_f64(args.seconds).unwrap_or(Duration::MAX));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            writer.join().unwrap_or_else(|_| Err(std::io::Error::other("the writer ended early")))
        })
        .map_err(refused(&args.dir))?;
    }
    Ok(Exit::Good)
}
