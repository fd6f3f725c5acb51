//! What has to be on the machine, and how it gets there: the wasm target, clang, wasm-bindgen,
//! Chromium with its driver, Firefox, Node and its packages.

use crate::shell::{Outcome, command, first_line, root, run, step, tools_dir, which};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// The cargo that builds for wasm, and what it needs to be told.
#[derive(Clone)]
pub struct WasmToolchain {
    cargo: PathBuf,
    /// Build the standard library from source (a toolchain without the prebuilt wasm one).
    build_std: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's toolchain, for machines where rustup cannot add a target.
const DEBIAN_RUST: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld"];

impl WasmToolchain {
    /// Finds a toolchain that can build for wasm, installing what it takes.
    pub fn find() -> Outcome<Self> {
        if which(&["clang"]).is_none() {
            apt(&["clang"], "zstd, through arrow-ipc, is C code that is compiled for wasm")?;
        }
        if has_prebuilt_std(Path::new("rustc")) || rustup_adds_target() {
            return Ok(Self { cargo: cargo(), build_std: false });
        }
        let debian = Path::new("/usr/bin/cargo");
        let source = Path::new("/usr/bin/rustc");
        if !(debian.is_file() && has_source(source)) {
            apt(
                DEBIAN_RUST,
                "rustup cannot add the wasm target here; Debian ships the source of the standard library, which is built once",
            )?;
        }
        if debian.is_file() && has_source(source) {
            return Ok(Self { cargo: debian.to_path_buf(), build_std: true });
        }
        Err(format!(
            "no Rust toolchain for {TARGET}: `rustup target add {TARGET}` failed and Debian's {} are not to be had",
            DEBIAN_RUST.join(", ")
        )
        .into())
    }

    /// `cargo <subcommand>` for the wasm target.
    pub fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = command(&self.cargo);
        cargo.arg(subcommand);
        if self.build_std {
            let path = std::env::var("PATH").unwrap_or_default();
            cargo
                .env("PATH", format!("/usr/bin:{path}"))
                .env("RUSTC", "/usr/bin/rustc")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/usr/bin/wasm-ld")
                .arg("-Zbuild-std=std,panic_abort,test");
        }
        cargo.args(["--target", TARGET]);
        cargo
    }
}

/// The cargo that runs this task.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    first_line(command(rustc).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn has_prebuilt_std(rustc: &Path) -> bool {
    sysroot(rustc).is_some_and(|root| root.join("lib/rustlib").join(TARGET).join("lib").is_dir())
}

fn has_source(rustc: &Path) -> bool {
    sysroot(rustc).is_some_and(|root| root.join("lib/rustlib/src/rust/library/std").is_dir())
}

/// Asks rustup for the target, for a minute at the most: behind a closed network it would hang.
fn rustup_adds_target() -> bool {
    if which(&["rustup"]).is_none() {
        return false;
    }
    println!("    the wasm standard library is missing: asking rustup for it");
    let mut rustup = command("timeout");
    rustup.args(["60", "rustup", "target", "add", TARGET]);
    run(&mut rustup).is_ok() && has_prebuilt_std(Path::new("rustc"))
}

/// Installs Debian packages, saying what for.
pub fn apt(packages: &[&str], why: &str) -> Outcome<()> {
    println!("    installing {} (Debian packages): {why}", packages.join(", "));
    if which(&["apt-get"]).is_none() {
        return Err(format!(
            "please install {} yourself ({why}); only Debian's apt-get is known here",
            packages.join(", ")
        )
        .into());
    }
    let apt_get = |args: &[&str]| -> Outcome<()> {
        let root_user = first_line(Command::new("id").arg("-u")).as_deref() == Some("0");
        let mut apt = if root_user {
            command("apt-get")
        } else {
            let mut sudo = command("sudo");
            sudo.args(["-n", "apt-get"]);
            sudo
        };
        run(apt.args(args).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt_get(&["update", "-qq"])?;
    let mut install = vec!["install", "-y", "-qq", "--no-install-recommends"];
    install.extend(packages);
    apt_get(&install)
}

/// Chromium without a window, the program and the Debian package.
const HEADLESS: &str = "chromium-headless-shell";

/// A browser and the driver that steers it.
pub struct Browser {
    /// Chromium's program.
    pub chromium: PathBuf,
    /// The same without a window, which opens a page in half the time; Chromium where it is not to be
    /// had.
    pub headless: PathBuf,
    /// Its driver's program.
    pub driver: PathBuf,
}

/// Finds Chromium and its driver, installing Debian's where there is none.
pub fn browser() -> Outcome<Browser> {
    /// Several suites ask for it.
    static TRIED: AtomicBool = AtomicBool::new(false);
    let named = std::env::var_os("PINHOLE_CHROMIUM").map(PathBuf::from);
    let find = || {
        let chromium =
            named.clone().or_else(|| which(&["chromium", "chromium-browser", "google-chrome"]))?;
        let headless = which(&[HEADLESS]).filter(|_| named.is_none());
        let headless = headless.unwrap_or_else(|| chromium.clone());
        Some(Browser { chromium, headless, driver: which(&["chromedriver"])? })
    };
    if find().is_none() {
        apt(
            &["chromium", "chromium-driver", "fonts-dejavu-core"],
            "the tests run in a real browser",
        )?;
    }
    // Debian's Chromium has it in a package of its own, later releases only.
    if named.is_none()
        && Path::new("/usr/bin/chromium").is_file()
        && which(&[HEADLESS]).is_none()
        && !TRIED.swap(true, Ordering::Relaxed)
        && let Err(error) = apt(&[HEADLESS], "the page's tests take a quarter less time with it")
    {
        println!("    going on with Chromium alone: {error}");
    }
    find().ok_or_else(|| "no Chromium with ChromeDriver on this machine".into())
}

/// Finds Firefox, installing Debian's ESR where there is none.
pub fn firefox() -> Outcome<PathBuf> {
    let find = || {
        let named = std::env::var_os("PINHOLE_FIREFOX").map(PathBuf::from);
        named.or_else(|| which(&["firefox-esr", "firefox"]))
    };
    if find().is_none() {
        apt(&["firefox-esr"], "the package is tried in a second browser")?;
    }
    find().ok_or_else(|| "no Firefox on this machine".into())
}

/// The exact version of wasm-bindgen in Cargo.lock: its command-line tools must have the same.
fn wasm_bindgen_version() -> Outcome<String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))?;
    lock.split("[[package]]")
        .find(|p| p.contains("name = \"wasm-bindgen\"\n"))
        .and_then(|p| p.split("version = \"").nth(1))
        .and_then(|p| p.split('"').next())
        .map(str::to_owned)
        .ok_or_else(|| "wasm-bindgen is not in Cargo.lock".into())
}

/// The folder that holds `wasm-bindgen` and `wasm-bindgen-test-runner` of the right version.
pub fn wasm_bindgen() -> Outcome<PathBuf> {
    let version = wasm_bindgen_version()?;
    let home = tools_dir().join(format!("wasm-bindgen-{version}"));
    let bin = home.join("bin");
    if !bin.join("wasm-bindgen-test-runner").is_file() {
        step(&format!("install wasm-bindgen-cli {version} (makes the JavaScript glue)"), || {
            run(command(cargo())
                .args(["install", "--quiet", "wasm-bindgen-cli", "--version", &version, "--root"])
                .arg(&home))
        })?;
    }
    Ok(bin)
}

/// Checks Node, and installs the locked packages of a folder where they are missing or older than
/// the lock file.
pub fn npm_install(folder: &Path) -> Outcome<()> {
    node()?;
    let stamp = folder.join("node_modules/.package-lock.json");
    let lock = folder.join("package-lock.json");
    let fresh = match (stamp.metadata(), lock.metadata()) {
        (Ok(stamp), Ok(lock)) => stamp.modified()? >= lock.modified()?,
        _ => false,
    };
    if fresh {
        return Ok(());
    }
    step(&format!("install the npm packages of {}", name_of(folder)), || {
        run(command("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
    })
}

fn name_of(folder: &Path) -> String {
    folder.strip_prefix(root()).unwrap_or(folder).display().to_string()
}

/// Node of a version that runs everything here.
pub fn node() -> Outcome<()> {
    let version = first_line(command("node").arg("--version"))
        .ok_or("Node 20 or newer is needed and `node` is not on the path")?;
    let major: u32 =
        version.trim_start_matches('v').split('.').next().and_then(|v| v.parse().ok()).unwrap_or(0);
    if major < 20 {
        return Err(format!("Node 20 or newer is needed, this is {version}").into());
    }
    Ok(())
}

/// Says what is there and what is missing; changes nothing.
pub fn doctor() {
    let mut missing = 0;
    let mut line = |what: &str, found: Option<String>, how: &str| {
        if let Some(found) = found {
            println!("  ok       {what}: {found}");
        } else {
            missing += 1;
            println!("  missing  {what}: {how}");
        }
    };
    line("rustc", first_line(command("rustc").arg("--version")), "install Rust 1.94 or newer");
    line(
        "wasm target",
        (has_prebuilt_std(Path::new("rustc")))
            .then(|| "prebuilt".to_owned())
            .or_else(|| has_source(Path::new("/usr/bin/rustc")).then(|| "from source".to_owned())),
        "`cargo xtask demo` adds it by rustup or from Debian's packages",
    );
    line(
        "clang",
        first_line(command("clang").arg("--version")),
        "installed from Debian's packages",
    );
    line(
        "wasm-bindgen",
        wasm_bindgen_version().ok().and_then(|version| {
            let home = tools_dir().join(format!("wasm-bindgen-{version}"));
            home.join("bin/wasm-bindgen").is_file().then_some(version)
        }),
        "`cargo xtask demo` installs it beside the target folder",
    );
    line(
        "node",
        node().ok().and_then(|()| first_line(command("node").arg("--version"))),
        "install Node 20 or newer",
    );
    line("npm", first_line(command("npm").arg("--version")), "comes with Node");
    line(
        "chromium",
        which(&["chromium", "chromium-browser", "google-chrome"]).map(|p| p.display().to_string()),
        "installed from Debian's packages by `cargo xtask test`",
    );
    line(
        "chromedriver",
        which(&["chromedriver"]).map(|p| p.display().to_string()),
        "installed from Debian's packages by `cargo xtask test`",
    );
    line(
        "firefox",
        which(&["firefox-esr", "firefox"]).map(|p| p.display().to_string()),
        "installed from Debian's packages by `cargo xtask test`",
    );
    println!(
        "{}",
        if missing == 0 { "nothing is missing" } else { "the tasks install what they need" }
    );
}
