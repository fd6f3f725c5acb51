//! Building the wasm module, its glue, the TypeScript, and the npm package around them.

use crate::setup::{self, WasmToolchain};
use crate::shell::{Outcome, command, root, run, step, target_dir};
use crate::tests;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// How the wasm is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Quick to build: tests and the demo.
    Quick,
    /// The same with the names of its functions, for a profiler to tell.
    Named,
    /// Small and fast: the package and benchmarks.
    Release,
}

impl Profile {
    /// `--quick` or `--release` among the arguments, else `default`.
    pub fn from_args(args: &[String], default: Self) -> Self {
        if args.iter().any(|a| a == "--quick") {
            Self::Quick
        } else if args.iter().any(|a| a == "--release") {
            Self::Release
        } else {
            default
        }
    }

    /// The profile's name in Cargo.toml.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick | Self::Named => "quick",
            Self::Release => "dist",
        }
    }

    /// The folder of what is made with it.
    fn folder(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Quick | Self::Release => self.name(),
        }
    }
}

/// A crate that is compiled to wasm.
struct Module {
    package: &'static str,
    /// The name of its files.
    name: &'static str,
    what: &'static str,
}

/// The modules of the package. Each is compiled by itself: together, the features of one would be
/// those of all.
const MODULES: &[Module] = &[
    Module { package: "pinhole-wasm", name: "pinhole", what: "the engine" },
    Module { package: "pinhole-parquet", name: "pinhole_parquet", what: "the reader of Parquet" },
];

/// Where the finished package of a profile lies.
pub fn package_dir(profile: Profile) -> PathBuf {
    target_dir().join("npm").join(profile.folder()).join("pinhole")
}

/// The packages that this run has built: several suites want the same.
static BUILT: Mutex<Vec<Profile>> = Mutex::new(Vec::new());

/// The finished package, built once a run.
pub fn package_folder(profile: Profile) -> Outcome<PathBuf> {
    let out = package_dir(profile);
    let mut built = BUILT.lock().map_err(|e| e.to_string())?;
    if !built.contains(&profile) {
        build_package(profile, &out)?;
        built.push(profile);
    }
    Ok(out)
}

/// Builds wasm, glue and TypeScript, and lays them out as the finished package.
fn build_package(profile: Profile, out: &Path) -> Outcome<()> {
    let toolchain = WasmToolchain::find()?;
    let bindgen = setup::wasm_bindgen()?;
    let glue = out.with_file_name("glue");
    remove(&glue)?;
    for module in MODULES {
        compile(module, profile, &toolchain, &bindgen, &glue)?;
    }

    let template = root().join("pkg-template");
    setup::npm_install(&template)?;
    step("compile the TypeScript", || {
        run(command("npm").args(["run", "--silent", "build"]).current_dir(&template))
    })?;
    step("lay out the package", || {
        remove(out)?;
        fs::create_dir_all(out)?;
        copy_all(&template.join("dist"), out)?;
        copy_all(&glue, out)?;
        run(command("node").arg("join.js").arg(out).current_dir(&template))?;
        for file in ["package.json", "README.md"] {
            fs::copy(template.join(file), out.join(file))?;
        }
        for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(root().join(file), out.join(file))?;
        }
        Ok(())
    })
}

/// Compiles a module to wasm, with its JavaScript glue beside it.
fn compile(
    module: &Module,
    profile: Profile,
    toolchain: &WasmToolchain,
    bindgen: &Path,
    glue: &Path,
) -> Outcome<()> {
    let Module { package, name, what } = *module;
    step(&format!("compile {what} to wasm (profile {})", profile.name()), || {
        let mut cargo = toolchain.cargo("rustc");
        cargo.args(["--package", package, "--lib", "--crate-type", "cdylib"]);
        run(cargo.args(["--profile", profile.name()]))
    })?;
    step(&format!("make the JavaScript glue of {what}"), || {
        let wasm = target_dir().join("wasm32-unknown-unknown").join(profile.name());
        let wasm = wasm.join(package.replace('-', "_")).with_extension("wasm");
        let mut tool = command(bindgen.join("wasm-bindgen"));
        tool.args(["--target", "web", "--out-name", name]);
        // The names are a large part of what every page of a test fetches.
        if profile != Profile::Named {
            tool.arg("--remove-name-section");
        }
        if profile == Profile::Release {
            tool.arg("--remove-producers-section");
        }
        run(tool.arg("--out-dir").arg(glue).arg(&wasm))
    })?;
    if profile == Profile::Release {
        optimise(&glue.join(format!("{name}_bg.wasm")))?;
    }
    Ok(())
}

/// What the compiler may use and every current browser runs.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// The passes that are worth their time: Binaryen's own `-Oz` takes over nine minutes on this module.
const PASSES: &[&str] = &[
    "--duplicate-function-elimination",
    "--dce",
    "--vacuum",
    "--remove-unused-module-elements",
    "--reorder-functions",
];

/// Shrinks the module with Binaryen's `wasm-opt`.
fn optimise(wasm: &Path) -> Outcome<()> {
    let tests = root().join("tests");
    setup::npm_install(&tests)?;
    step("shrink the wasm (wasm-opt)", || {
        let before = wasm.metadata()?.len();
        let small = wasm.with_extension("opt.wasm");
        let mut opt = command(tests.join("node_modules/.bin/wasm-opt"));
        opt.args(FEATURES).args(PASSES);
        run(opt.arg(wasm).arg("-o").arg(&small))?;
        fs::rename(&small, wasm)?;
        println!("    {before} bytes before, {} after", wasm.metadata()?.len());
        Ok(())
    })
}

/// The npm tarball, and where it lies.
pub fn package(profile: Profile) -> Outcome<PathBuf> {
    let folder = package_folder(profile)?;
    step("pack the tarball", || {
        let parent = folder.parent().ok_or("the package has no parent folder")?;
        run(command("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(parent)
            .current_dir(&folder))?;
        let tarball = fs::read_dir(parent)?
            .filter_map(Result::ok)
            .map(|e| e.path())
            .find(|p| p.extension().is_some_and(|e| e == "tgz"))
            .ok_or("npm pack made no tarball")?;
        println!("    {} ({} bytes)", tarball.display(), tarball.metadata()?.len());
        Ok(tarball)
    })
}

/// The tarball to publish: packed, looked at by the tools that read packages as others do, and tried
/// in the applications that tests install it into.
pub fn publishable(profile: Profile) -> Outcome<()> {
    let tarball = package(profile)?;
    let folder = package_folder(profile)?;
    let tool = |name: &str| root().join("pkg-template/node_modules/.bin").join(name);
    step("publint", || run(command(tool("publint")).arg("--strict").arg(&folder)))?;
    step("types as they are published", || {
        let mut attw = command(tool("attw"));
        attw.args(["--profile", "esm-only", "--exclude-entrypoints"]);
        attw.args(["./pinhole_bg.wasm", "./pinhole_parquet_bg.wasm", "./quickjs.wasm"]);
        // The list of entry points ends with an option.
        run(attw.arg("--no-emoji").arg(&tarball))
    })?;
    tests::packed(&tarball)
}

/// Lays out the static page with the package inside it: a folder any static host can serve.
pub fn site(profile: Profile) -> Outcome<PathBuf> {
    let package = package_folder(profile)?;
    let site = target_dir().join("site").join(profile.folder());
    step("lay out the page", || {
        remove(&site)?;
        copy_all(&root().join("www"), &site)?;
        copy_all(&package, &site.join("pinhole"))?;
        name_build(&site)
    })?;
    Ok(site)
}

/// What stands in the service worker until a build has a name.
const UNBUILT: &str = "const BUILD = \"unbuilt\";";

/// Writes a hash of all files of the page into its service worker: a browser installs another one only
/// where its bytes differ, and keeps the files of each build by its name.
fn name_build(site: &Path) -> Outcome<()> {
    let mut hasher = DefaultHasher::new();
    hash_all(site, site, &mut hasher)?;
    let worker = site.join("service-worker.js");
    let text = fs::read_to_string(&worker)?;
    if text.matches(UNBUILT).count() != 1 {
        return Err(format!("{} has no place for the name of its build", worker.display()).into());
    }
    let named = format!("const BUILD = \"{:016x}\";", hasher.finish());
    fs::write(&worker, text.replace(UNBUILT, &named))?;
    Ok(())
}

/// Hashes what a folder holds, in the order of the names: each file's path below `top`, and its bytes.
fn hash_all(top: &Path, folder: &Path, hasher: &mut DefaultHasher) -> Outcome<()> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_all(top, &path, hasher)?;
        } else {
            path.strip_prefix(top)?.hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Outcome<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// Copies a folder with everything in it.
fn copy_all(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to)?;
    let entries = fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
