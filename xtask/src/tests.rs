//! `cargo xtask test` and `cargo xtask bench`.

use crate::build::{self, Profile};
use crate::setup::{self, WasmToolchain};
use crate::shell::{self, Outcome, PACKAGES, command, root, step, target_dir};
use std::path::{Path, PathBuf};

const SUITES: &[&str] = &["native", "wasm", "package", "e2e"];

/// Runs the named suites, or all of them.
pub fn run(args: &[String]) -> Outcome<()> {
    let wanted: Vec<&str> =
        if args.is_empty() { SUITES.to_vec() } else { args.iter().map(String::as_str).collect() };
    if let Some(unknown) = wanted.iter().find(|w| !SUITES.contains(w)) {
        return Err(format!("no suite `{unknown}`; there are {}", SUITES.join(", ")).into());
    }
    for suite in &wanted {
        match *suite {
            "native" => native()?,
            "wasm" => wasm()?,
            "package" => package()?,
            _ => e2e()?,
        }
    }
    Ok(())
}

/// Unit, golden and replay tests on this machine.
fn native() -> Outcome<()> {
    for packages in PACKAGES {
        step(&format!("native tests ({})", packages.join(", ")), || {
            let mut cargo = command(setup::cargo());
            cargo.args(["test", "--quiet"]);
            shell::run(cargo.args(packages.iter().flat_map(|name| ["--package", name])))
        })?;
    }
    Ok(())
}

/// The same golden cases in headless Chromium.
fn wasm() -> Outcome<()> {
    let toolchain = WasmToolchain::find()?;
    let bindgen = setup::wasm_bindgen()?;
    let browser = setup::browser()?;
    step("wasm tests in Chromium", || {
        let mut cargo = toolchain.cargo("test");
        cargo
            .args(["--package", "pinhole", "--test", "browser", "--profile", Profile::Quick.name()])
            .env(
                "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
                bindgen.join("wasm-bindgen-test-runner"),
            )
            .env("CHROMEDRIVER", &browser.driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "600");
        shell::run(&mut cargo)
    })
}

/// The TypeScript's own tests, and the packed tarball in fixture applications.
fn package() -> Outcome<()> {
    let tarball = build::package(Profile::Quick)?;
    let template = root().join("pkg-template");
    step("tests of the TypeScript", || {
        shell::run(command("npm").args(["run", "--silent", "test"]).current_dir(&template))
    })?;
    packed(&tarball)
}

/// A packed tarball in fixture applications, on pages of both browsers and in Node.
pub fn packed(tarball: &Path) -> Outcome<()> {
    let browser = setup::browser()?;
    let firefox = setup::firefox()?;
    let tests = root().join("tests");
    setup::npm_install(&tests)?;
    step("the packed tarball: publint, types, fixtures", || {
        shell::run(
            command("node")
                .args(["--test", "--test-reporter=spec", &at_once()])
                .args(test_files(&tests.join("npm"))?)
                .env("PINHOLE_TARBALL", tarball)
                .env("PINHOLE_CHROMIUM", &browser.chromium)
                .env("PINHOLE_HEADLESS", &browser.headless)
                .env("PINHOLE_FIREFOX", &firefox)
                .current_dir(&tests),
        )
    })
}

/// The page in real Chromium.
fn e2e() -> Outcome<()> {
    in_chromium(&test_files(&root().join("tests/e2e"))?)
}

/// Runs files of tests of the page.
fn in_chromium(files: &[PathBuf]) -> Outcome<()> {
    let browser = setup::browser()?;
    let site = build::site(Profile::Quick)?;
    let tests = root().join("tests");
    setup::npm_install(&tests)?;
    // Last of all suites: the run ends with the test runner's own closing lines.
    println!("\n==> the page in Chromium");
    let pictures = std::env::var_os("PINHOLE_SCREENSHOTS")
        .map_or_else(|| target_dir().join("screenshots"), PathBuf::from);
    println!("    pictures of every state: {}", pictures.display());
    shell::run(
        command("node")
            .args(["--test", "--test-reporter=spec", &at_once()])
            .args(files)
            .env("PINHOLE_SITE", &site)
            .env("PINHOLE_SCREENSHOTS", &pictures)
            .env("PINHOLE_CHROMIUM", &browser.chromium)
            .env("PINHOLE_HEADLESS", &browser.headless)
            .current_dir(&tests),
    )
}

/// How many files of tests run at once: each has a browser of several processes and servers of its
/// own. One for each processor: no test decides by a time, and one alone leaves a fifth of two idle.
fn at_once() -> String {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("--test-concurrency={}", processors.clamp(1, 4))
}

/// The `*.test.mjs` of a folder, by name: versions of Node differ in what else they take.
fn test_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    if files.is_empty() {
        return Err(format!("no tests in {}", folder.display()).into());
    }
    Ok(files)
}

/// Reading and checking a query, natively.
pub fn bench_check() -> Outcome<()> {
    step("benchmark of the check", || {
        shell::run(command(setup::cargo()).args(["bench", "--bench", "check"]))
    })
}

/// The built-in planner: right and wrong queries on the corpus, and the time a question takes,
/// natively; then the time in Chromium, over a table of many columns and values.
pub fn bench_plan(args: &[String]) -> Outcome<()> {
    step("benchmark of the planner", || {
        shell::run(command(setup::cargo()).args(["bench", "--bench", "plan"]))
    })?;
    bench("plan.mjs", args, Profile::Release)
}

/// The tokens that a conversation over a million rows sends, by a public tokenizer, beside what the
/// rows of its results would have taken.
pub fn bench_cost() -> Outcome<()> {
    in_chromium(&[root().join("tests/e2e/cost.test.mjs")])
}

/// The package of the Python index that looks for each number among the values, which the check is compared with.
const FIGURED: &str = "figured==0.4.3";

/// What the check of answers catches, what it calls wrong, and how long it takes, natively; the same
/// texts by `figured`; then the time in Chromium.
pub fn bench_claims(args: &[String]) -> Outcome<()> {
    let cases = target_dir().join("claims.jsonl");
    step("benchmark of the claims check", || {
        shell::run(
            command(setup::cargo())
                .args(["bench", "--bench", "claims"])
                .env("PINHOLE_CLAIMS_CASES", &cases),
        )
    })?;
    let venv = target_dir().join("figured");
    let python = venv.join("bin/python");
    if !python.exists() {
        step("figured, from PyPI, in a folder of its own", || {
            shell::run(command("python3").args(["-m", "venv"]).arg(&venv))?;
            shell::run(command(&python).args(["-m", "pip", "install", "--quiet", FIGURED]))
        })?;
    }
    let script = root().join("tests/reference/value_matching.py");
    step("the same texts by figured", || shell::run(command(&python).arg(&script).arg(&cases)))?;
    bench("answers.mjs", args, Profile::Release)
}

/// Which questions asked before are found again, what runs wrongly, and the time it takes, natively;
/// then the times in Chromium, over a database of the browser.
pub fn bench_recall(args: &[String]) -> Outcome<()> {
    step("benchmark of questions asked before", || {
        shell::run(command(setup::cargo()).args(["bench", "--bench", "recall"]))
    })?;
    bench("recall.mjs", args, Profile::Release)
}

/// How far predictions of purchases are off beside the naive rule, natively: over the folders of
/// receipts that are named, or over twenty households that are made for it.
pub fn bench_purchases(folders: &[String]) -> Outcome<()> {
    let mut all = Vec::new();
    for folder in folders {
        all.push(std::path::absolute(folder)?);
    }
    if all.is_empty() {
        let made = target_dir().join("households");
        let script = root().join("benches/household.mjs");
        step("receipts of twenty households", || {
            shell::run(command("node").arg(script).arg(&made).args(["--seeds", "20"]))
        })?;
        all.push(made);
    }
    step("back-test of predictions", || {
        shell::run(command(setup::cargo()).args(["bench", "--bench", "purchases", "--"]).args(&all))
    })
}

/// The size of the elements as a bundler makes them; fails where the first import is too large.
pub fn bench_bundle() -> Outcome<()> {
    let template = root().join("pkg-template");
    setup::npm_install(&template)?;
    step("size of the elements", || {
        shell::run(command("node").args(["bundle.js", "--size"]).current_dir(&template))
    })
}

/// A comparison or a measurement in the browser: a script of `benches`, over a package of the
/// profile that the arguments name.
pub fn bench(script: &str, args: &[String], default: Profile) -> Outcome<()> {
    let browser = setup::browser()?;
    let profile = Profile::from_args(args, default);
    let package = build::package_folder(profile)?;
    let benches = root().join("benches");
    setup::npm_install(&benches)?;
    step("benchmark in Chromium", || {
        shell::run(
            command("node")
                .arg(script)
                .args(args.iter().filter(|a| *a != "--quick" && *a != "--release"))
                .env("PINHOLE_PACKAGE", &package)
                .env("PINHOLE_PROFILE", profile.name())
                .env("PINHOLE_CHROMIUM", &browser.chromium)
                .current_dir(&benches),
        )
    })
}
