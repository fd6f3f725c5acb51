//! `cargo xtask lint`: formatting and lints, Rust and TypeScript; warnings are errors.

use crate::setup;
use crate::shell::{self, Outcome, PACKAGES, command, root, step};

/// Checks formatting and lints.
pub fn run() -> Outcome<()> {
    step("rustfmt", || shell::run(command(setup::cargo()).args(["fmt", "--all", "--check"])))?;
    for packages in PACKAGES {
        step(&format!("clippy ({})", packages.join(", ")), || {
            let mut cargo = command(setup::cargo());
            cargo.args(["clippy", "--all-targets", "--quiet"]);
            cargo.args(packages.iter().flat_map(|name| ["--package", name]));
            shell::run(cargo.args(["--", "-D", "warnings"]))
        })?;
    }
    let template = root().join("pkg-template");
    setup::npm_install(&template)?;
    for (what, script) in
        [("formatting of TypeScript", "format:check"), ("lints of TypeScript", "lint")]
    {
        step(what, || {
            shell::run(command("npm").args(["run", "--silent", script]).current_dir(&template))
        })?;
    }
    Ok(())
}
