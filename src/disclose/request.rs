//! Everything that one request to a model says.

use super::{Disclosed, Gate, Provenance, What, Why, Withheld};
use std::collections::BTreeSet;

/// A tool as a model is told of it. Texts of the program or of the page, never of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: serde_json::Value,
}

/// A call that a model made, replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The id that the model gave it.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: Disclosed,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// What the person said, or what code says in the person's place.
    User(Disclosed),
    /// What the model said.
    Assistant {
        /// Its words; may be empty.
        text: Disclosed,
        /// Its calls.
        calls: Vec<Call>,
        /// The whole turn as the endpoint wrote it, in its own format, for the same endpoint.
        own: Option<Disclosed>,
    },
    /// What a tool answered.
    ToolResult {
        /// The id of the call.
        call_id: String,
        /// The tool's name.
        name: String,
        /// What the model may hear.
        content: Disclosed,
        /// Whether the call came to nothing.
        failed: bool,
    },
}

/// Everything that one request says. Only [`Gate::request`] makes one, and only a `Disclosure` can
/// be encoded for a network.
///
/// ```
/// use pinhole::disclose::{Gate, Message, Policy};
/// let policy = Policy::default();
/// let gate = Gate::new(&policy);
/// let question = Message::User(gate.typed_by_person("how many rows?"));
/// let request = gate.request(gate.constant("answer briefly"), vec![], vec![question]);
/// assert_eq!(request.system().as_str(), "answer briefly");
/// ```
///
/// ```compile_fail,E0451
/// use pinhole::disclose::{Disclosure, Gate, Policy, Provenance};
/// let policy = Policy::default();
/// let system = Gate::new(&policy).constant("answer briefly");
/// let request = Disclosure {
///     system, tools: vec![], messages: vec![], provenance: Provenance::default(),
/// };
/// ```
///
/// ```compile_fail,E0308
/// use pinhole::disclose::{Gate, Message, Policy};
/// let policy = Policy::default();
/// let gate = Gate::new(&policy);
/// let row = Message::User(String::from("a row"));
/// ```
///
/// ```compile_fail,E0277
/// let request: pinhole::disclose::Disclosure = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Disclosure {
    system: Disclosed,
    tools: Vec<ToolDefinition>,
    messages: Vec<Message>,
    provenance: Provenance,
}

impl Disclosure {
    /// The system prompt.
    pub fn system(&self) -> &Disclosed {
        &self.system
    }

    /// The tools on offer.
    pub fn tools(&self) -> &[ToolDefinition] {
        &self.tools
    }

    /// The conversation, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Tables whose columns it may name.
    pub fn disclosed_tables(&self) -> &BTreeSet<String> {
        self.provenance.tables()
    }

    /// Columns (`table.column`) of whose values it tells something.
    pub fn disclosed_columns(&self) -> &BTreeSet<String> {
        self.provenance.columns()
    }

    /// Results (`r1`) it tells of.
    pub fn disclosed_results(&self) -> &BTreeSet<String> {
        self.provenance.results()
    }

    /// What it keeps back.
    pub fn withheld(&self) -> &[Withheld] {
        self.provenance.withheld()
    }
}

impl Gate<'_> {
    /// Puts a request together. Pieces that tell of data and were made under another policy than
    /// this gate's (history from before the person tightened it) are replaced by a note.
    pub fn request(
        &self,
        system: Disclosed,
        tools: Vec<ToolDefinition>,
        messages: Vec<Message>,
    ) -> Disclosure {
        let mut provenance = Provenance::default();
        let mut pass = |piece: Disclosed| {
            let piece = self.current(piece);
            provenance.add(piece.provenance());
            piece
        };
        let system = pass(system);
        let messages = messages
            .into_iter()
            .map(|message| match message {
                Message::User(text) => Message::User(pass(text)),
                Message::Assistant { text, calls, own } => Message::Assistant {
                    text: pass(text),
                    own: own.map(&mut pass),
                    calls: calls
                        .into_iter()
                        .map(|call| Call { arguments: pass(call.arguments), ..call })
                        .collect(),
                },
                Message::ToolResult { call_id, name, content, failed } => {
                    Message::ToolResult { call_id, name, content: pass(content), failed }
                }
            })
            .collect();
        Disclosure { system, tools, messages, provenance }
    }

    fn current(&self, piece: Disclosed) -> Disclosed {
        if piece.is_current(self.policy()) {
            piece
        } else {
            let note = "[withheld: the disclosure policy has changed since]".to_owned();
            let earlier = Withheld::new(What::Earlier, Why::PolicyChanged).count(1);
            self.piece(note, Provenance::default().without([earlier]))
        }
    }
}
