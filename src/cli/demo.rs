//! `aerscope demo`: a simulated gateway writes into a temporary folder, and the console opens on it.

#[cfg(not(feature = "console"))]
use super::Outcome;
use super::console::Look;

/// Watch a simulated gateway write receipts into a temporary folder, which is removed at the end
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// Receipts a second, after the first forty
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    pub rate: f64,
    /// How it looks
    #[command(flatten)]
    pub look: Look,
}

/// Opens the console on the folder the gateway writes into.
#[cfg(not(feature = "console"))]
pub fn run(_args: Args) -> Outcome {
    Err(super::Refusal::new("this build has no console, and the demo is one; build with the default features"))
}

#[cfg(feature = "console")]
pub use with_terminal::run;

#[cfg(feature = "console")]
mod with_terminal {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::JoinHandle;
    use std::time::SystemTime;

    use aerscope::aer1::grammar::Moment;
    use aerscope::make::gateway::Gateway;
    use aerscope::tui::term;

    use super::super::console::{self, with_terminal};
    use super::super::{Outcome, Refusal};
    use super::Args;

    /// Files there are at once.
    const FIRST: usize = 40;

    /// The folder and whoever writes into it. Ends the writer, then removes the folder, unwinding included.
    struct Traffic {
        dir: PathBuf,
        stop: Arc<AtomicBool>,
        writer: Option<JoinHandle<()>>,
    }

    impl Traffic {
        fn start(rate: f64) -> std::io::Result<Traffic> {
            use std::os::unix::fs::DirBuilderExt as _;
            let dir = std::env::temp_dir().join(format!("aerscope-demo-{}", uuid::Uuid::new_v4()));
            std::fs::DirBuilder::new().mode(0o700).create(&dir)?;
            let stop = Arc::new(AtomicBool::new(false));
            let mut traffic = Traffic { dir: dir.clone(), stop: Arc::clone(&stop), writer: None };
            let body = move || {
                let now = Moment::of(SystemTime::now());
                let seed = u64::from(now.nanos);
                let mut gateway = Gateway::new(dir, seed, now);
                // A folder that is full or gone ends the traffic; the console shows what there is.
                let _over = gateway.burst(FIRST).and_then(|_| gateway.run(&stop, rate));
            };
            traffic.writer = Some(std::thread::Builder::new().name("gateway".to_owned()).spawn(body)?);
            Ok(traffic)
        }
    }

    impl Drop for Traffic {
        fn drop(&mut self) {
            self.stop.store(true, Ordering::SeqCst);
            if let Some(writer) = self.writer.take() {
                drop(writer.join());
            }
            let _left = std::fs::remove_dir_all(&self.dir);
        }
    }

    /// Opens the console on the folder the gateway writes into.
    pub fn run(args: Args) -> Outcome {
        if !term::is_usable() {
            return Err(Refusal::new(
                "there is no terminal to show the demo on; aerscope verify PATH works without one",
            ));
        }
        if !(args.rate > 0.0 && args.rate <= 10_000.0) {
            return Err(Refusal::new("--rate wants a number above 0 and at most 10000"));
        }
        let traffic = Traffic::start(args.rate).map_err(|error| {
            Refusal::io(&std::env::temp_dir(), &error, "the demo needs a temporary folder it may write into")
        })?;
        let (dir, stop) = (traffic.dir.clone(), Arc::clone(&traffic.stop));
        let last = move || {
            stop.store(true, Ordering::SeqCst);
            let _left = std::fs::remove_dir_all(&dir);
        };
        let console = console::Args { look: args.look, ..console::Args::default() };
        let setup = with_terminal::setup(&console, Some(traffic.dir.clone()), false, Box::new(last));
        let ended = aerscope::tui::run(setup);
        drop(traffic);
        with_terminal::finish(ended)
    }
}
