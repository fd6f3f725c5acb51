//! The disk that queries continue on where their memory ends: a file of the page's private file system.

use super::convert::Host;
use crate::engine::Disk;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// A file of the host that is read and written at once.
    pub type DiskFile;

    #[wasm_bindgen(method, catch)]
    fn read(this: &DiskFile, into: &mut [u8], at: f64) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &DiskFile, bytes: &[u8], at: f64) -> Result<f64, JsValue>;
    #[wasm_bindgen(method)]
    fn clear(this: &DiskFile);
    #[wasm_bindgen(method)]
    fn close(this: &DiskFile);
}

thread_local! {
    /// Handles of the host belong to their thread; what the engine holds of one is its number.
    static FILES: RefCell<(u32, HashMap<u32, DiskFile>)> = RefCell::default();
}

struct Numbered(u32);

impl Numbered {
    fn of(file: DiskFile) -> Self {
        FILES.with_borrow_mut(|(last, files)| {
            *last += 1;
            files.insert(*last, file);
            Self(*last)
        })
    }

    fn file<T>(&self, deed: impl FnOnce(&DiskFile) -> io::Result<T>) -> io::Result<T> {
        FILES.with_borrow(|(_, files)| deed(files.get(&self.0).ok_or(io::ErrorKind::NotFound)?))
    }
}

impl Disk for Numbered {
    fn read(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let wanted = into.len();
        whole(self.file(|file| file.read(into, at as f64).map_err(|_| refused()))?, wanted)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let done = self.file(|file| file.write(bytes, at as f64).map_err(|_| refused()))?;
        whole(done, bytes.len())
    }

    fn clear(&self) {
        // The host says nothing where it cannot: what cannot be cut now goes with the file.
        let _ = self.file(|file| {
            file.clear();
            Ok(())
        });
    }
}

impl Drop for Numbered {
    fn drop(&mut self) {
        if let Some(file) = FILES.with_borrow_mut(|(_, files)| files.remove(&self.0)) {
            file.close();
        }
    }
}

fn refused() -> io::Error {
    io::ErrorKind::Other.into()
}

fn whole(done: f64, wanted: usize) -> io::Result<()> {
    if done == wanted as f64 { Ok(()) } else { Err(refused()) }
}

/// A disk of the host, where it has one.
pub(super) async fn open(host: &impl Host) -> Option<Box<dyn Disk>> {
    let file = JsFuture::from(host.disk()).await.ok().filter(|file| !file.is_undefined())?;
    Some(Box::new(Numbered::of(file.unchecked_into())))
}
