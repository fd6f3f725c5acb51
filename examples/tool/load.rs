//! A file as a table of its name.

use pinhole::engine::Engine;
use pinhole::engine::ingest::{Loader, Options as Reading};
use std::path::Path;

pub fn load(engine: &mut Engine, file: &str) -> Result<(), String> {
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let mut loader = Loader::new(&*name, Reading::default()).map_err(|e| e.to_string())?;
    loader.push(&bytes).map_err(|e| e.to_string())?;
    let loaded = loader.finish().map_err(|e| e.to_string())?;
    engine.insert(loaded.table).map(drop).map_err(|e| e.to_string())
}
