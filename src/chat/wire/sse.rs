//! Server-sent events out of a byte stream that may be cut anywhere, also inside a character.
//!
//! Lenient on purpose: line ends of all three kinds, servers that leave out the blank line between
//! events, comments and unknown fields. What a payload means is the wire's business.

/// Splits bytes into the payloads of `data:` fields.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// The unfinished line.
    line: Vec<u8>,
    /// A carriage return ended the last line: a line feed right after it belongs to it.
    after_return: bool,
    /// `data` lines of an event that are not yet a whole payload.
    pending: String,
}

impl Splitter {
    /// The payloads that `bytes` complete. `whole` tells whether a text is a payload by itself, so
    /// that it need not wait for a blank line that some servers never send.
    pub(super) fn push(&mut self, bytes: &[u8], whole: impl Fn(&str) -> bool) -> Vec<String> {
        let mut payloads = Vec::new();
        let mut rest = bytes;
        while let Some((&first, _)) = rest.split_first() {
            // A line feed right after a carriage return belongs to it.
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) else {
                self.line.extend_from_slice(rest);
                break;
            };
            let (line, after) = rest.split_at(end);
            self.line.extend_from_slice(line);
            self.after_return = after.first() == Some(&b'\r');
            rest = after.get(1..).unwrap_or_default();
            let line = std::mem::take(&mut self.line);
            self.line_done(&line, &whole, &mut payloads);
        }
        payloads
    }

    /// What is left when the stream has ended: the last line need not have been closed.
    pub(super) fn finish(&mut self, whole: impl Fn(&str) -> bool) -> Vec<String> {
        let mut payloads = Vec::new();
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.line_done(&line, &whole, &mut payloads);
        }
        self.flush(&mut payloads);
        payloads
    }

    fn line_done(&mut self, line: &[u8], whole: impl Fn(&str) -> bool, out: &mut Vec<String>) {
        if line.is_empty() {
            self.flush(out);
            return;
        }
        // A whole line is decoded at once, so a character that was cut is whole again here; bytes
        // that are no UTF-8 become the replacement character.
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches('\u{feff}');
        let Some(data) = line.strip_prefix("data:") else { return };
        let data = data.strip_prefix(' ').unwrap_or(data);
        if self.pending.is_empty() {
            if whole(data) {
                out.push(data.to_owned());
            } else {
                self.pending.push_str(data);
            }
            return;
        }
        self.pending.push('\n');
        self.pending.push_str(data);
        if whole(&self.pending) {
            self.flush(out);
        }
    }

    fn flush(&mut self, out: &mut Vec<String>) {
        if !self.pending.is_empty() {
            out.push(std::mem::take(&mut self.pending));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Splitter;

    fn whole(text: &str) -> bool {
        text == "[DONE]" || serde_json::from_str::<serde_json::Value>(text).is_ok()
    }

    fn check(stream: &str, want: &[&str]) {
        let bytes = stream.as_bytes();
        for cut in 0..=bytes.len() {
            let mut splitter = Splitter::default();
            let mut got = splitter.push(&bytes[..cut], whole);
            got.extend(splitter.push(&bytes[cut..], whole));
            got.extend(splitter.finish(whole));
            assert_eq!(got, want, "{stream:?} cut at {cut}");
        }
    }

    #[test]
    fn payloads() {
        check("", &[]);
        check("data: {\"a\":1}\n\ndata: [DONE]\n\n", &["{\"a\":1}", "[DONE]"]);
        check("data:{\"a\":\"й\"}\r\n\r\ndata: [DONE]\r\n", &["{\"a\":\"й\"}", "[DONE]"]);
        check("data: 1\rdata: 2\r\r", &["1", "2"]);
        check(": ping\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 10\n", &["{}"]);
        check("data: {\"a\":\ndata: 1}\n\n", &["{\"a\":\n1}"]);
        check("data: {\"a\":\r\ndata: 1}\r\n\r\ndata: 2", &["{\"a\":\n1}", "2"]);
        check("data: {\"cut\":", &["{\"cut\":"]);
        check("\u{feff}data: 1\n", &["1"]);
    }

    #[test]
    fn bytes_that_are_no_text() {
        let mut splitter = Splitter::default();
        let got = splitter.push(b"data: \"\xff\xfe\"\n\n", whole);
        assert_eq!(got, ["\"\u{fffd}\u{fffd}\""]);
    }
}
