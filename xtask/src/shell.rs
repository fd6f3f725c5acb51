//! Running programs and telling what happens.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a task comes to.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The packages that are built together. The reader of Parquet stands alone: a feature that it turns
/// on in a crate below `DataFusion` would have all of that compiled once more.
pub const PACKAGES: &[&[&str]] = &[&["pinhole", "xtask"], &["pinhole-parquet"]];

/// The repository's root, as cargo says when it starts this program: several clones may share one
/// target folder, and with it the program that one of them built.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Where cargo builds: `CARGO_TARGET_DIR`, or `target` in the repository.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Tools that this project installs for itself, beside what cargo builds.
pub fn tools_dir() -> PathBuf {
    target_dir().join("xtask-tools")
}

/// Prints a heading, runs the step, prints how long it took.
pub fn step<T>(what: &str, run: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("\n==> {what}");
    let start = Instant::now();
    let result = run();
    let seconds = start.elapsed().as_secs_f64();
    match &result {
        Ok(_) => println!("    {what}: done in {seconds:.1} s"),
        Err(_) => println!("    {what}: failed after {seconds:.1} s"),
    }
    result
}

/// A command in the repository's root.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs a command with its output in sight; an error when it fails.
pub fn run(command: &mut Command) -> Outcome<()> {
    println!("    $ {}", shown(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|e| format!("cannot start `{}`: {e}", command.get_program().to_string_lossy()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{}` ended with {status}", shown(command)).into())
    }
}

/// The first line of a command's output, `None` when it cannot run or fails.
pub fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    if !output.status.success() {
        return None;
    }
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// The first of `names` that is on the path (or is a path that exists).
pub fn which(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
    })
}

fn shown(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}
