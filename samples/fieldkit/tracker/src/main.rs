//! tracker < recording > encoded track

mod encode;
mod filters;
mod point;
mod reader;

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tracker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let recording = reader::read(io::stdin().lock())?;
    if recording.skipped > 0 {
        eprintln!("{} lines were not positions", recording.skipped);
    }
    let points = filters::run(&filters::standard(), recording.points);
    writeln!(io::stdout(), "{}", encode::encode(&points))
}
