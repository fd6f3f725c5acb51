//! `cargo xtask demo`: build the page and serve it on this machine.

use crate::build::{self, Profile};
use crate::setup;
use crate::shell::{Outcome, command, root, run, step};

/// Builds the page and serves it until it is stopped.
pub fn demo(args: &[String]) -> Outcome<()> {
    setup::node()?;
    let site = build::site(Profile::from_args(args, Profile::Quick))?;
    if args.iter().any(|a| a == "--no-serve") {
        println!("\nthe page lies in {}", site.display());
        return Ok(());
    }
    let port = args
        .iter()
        .position(|a| a == "--port")
        .and_then(|i| args.get(i + 1))
        .map_or("8000", String::as_str);
    step("serve the page (stop with Ctrl+C)", || {
        run(command("node").arg(root().join("tests/server.mjs")).arg(&site).arg(port))
    })
}
