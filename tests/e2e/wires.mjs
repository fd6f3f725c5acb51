// Replies of a scripted endpoint in each format, as frames of server-sent events or whole. A turn has
// `text` and `calls: [{name, arguments}]`; `ids: false` leaves ids out, `objects: true` gives
// arguments as objects, `finish` gives another reason than the right one.

const cut = (text, size) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
const named = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const given = (turn, args) => (turn.objects ? JSON.parse(args) : args);

/** Chat Completions. */
export const chat = {
  path: "/v1/chat/completions",
  *frames(turn, serial) {
    const chunk = (delta, finish = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices })}\n\n`;
    };
    yield chunk({ role: "assistant", content: "" });
    for (const piece of cut(turn.text ?? "", 7)) yield chunk({ content: piece });
    for (const [index, { name, arguments: args }] of (turn.calls ?? []).entries()) {
      const id = turn.ids === false ? {} : { id: `call_${serial}_${index}`, type: "function" };
      if (turn.objects) {
        yield chunk({
          tool_calls: [{ index, ...id, function: { name, arguments: JSON.parse(args) } }],
        });
        continue;
      }
      yield chunk({ tool_calls: [{ index, ...id, function: { name, arguments: "" } }] });
      for (const piece of cut(args, 11)) {
        yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    }
    yield ": a comment\n\n";
    yield chunk({}, turn.finish ?? (turn.calls ? "tool_calls" : "stop"));
    yield "data: [DONE]\n\n";
  },
  whole(turn, serial) {
    const tool_calls = (turn.calls ?? []).map(({ name, arguments: args }, index) => ({
      id: `call_${serial}_${index}`,
      type: "function",
      function: { name, arguments: given(turn, args) },
    }));
    const message = { role: "assistant", content: turn.text ?? null };
    if (tool_calls.length > 0) message.tool_calls = tool_calls;
    const finish_reason = turn.finish ?? (turn.calls ? "tool_calls" : "stop");
    return { id: "x", object: "chat.completion", choices: [{ index: 0, message, finish_reason }] };
  },
  error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  /** What tools answered in a request. */
  results: (request) =>
    request.messages.filter(({ role }) => role === "tool").map(({ content }) => content),
};

/** Responses. */
export const responses = {
  path: "/v1/responses",
  items(turn, serial) {
    const items = [];
    if (turn.text) {
      const content = [{ type: "output_text", annotations: [], text: turn.text }];
      const status = "completed";
      items.push({ id: `msg_${serial}`, type: "message", status, role: "assistant", content });
    }
    for (const [index, { name, arguments: args }] of (turn.calls ?? []).entries()) {
      const ids = { id: `fc_${serial}_${index}`, call_id: `call_${serial}_${index}` };
      const own = turn.ids === false ? {} : ids;
      items.push({ type: "function_call", ...own, name, arguments: given(turn, args) });
    }
    return items;
  },
  *frames(turn, serial) {
    let sequence_number = 0;
    const event = (type, more) => named({ type, sequence_number: sequence_number++, ...more });
    const items = this.items(turn, serial);
    yield event("response.created", { response: { status: "in_progress", output: [] } });
    for (const [output_index, item] of items.entries()) {
      const about = { output_index, item_id: item.id };
      const empty = item.type === "message" ? { content: [] } : { arguments: "" };
      if (!turn.objects) {
        yield event("response.output_item.added", { output_index, item: { ...item, ...empty } });
      }
      if (item.type === "message") {
        const part = { type: "output_text", annotations: [], text: "" };
        yield event("response.content_part.added", { ...about, content_index: 0, part });
        for (const delta of cut(turn.text, 7)) {
          yield event("response.output_text.delta", { ...about, content_index: 0, delta });
        }
      } else if (!turn.objects) {
        for (const delta of cut(item.arguments, 11)) {
          yield event("response.function_call_arguments.delta", { ...about, delta });
        }
      }
      yield event("response.output_item.done", { output_index, item });
    }
    yield ": a comment\n\n";
    yield event("response.completed", { response: this.whole(turn, serial) });
  },
  whole(turn, serial) {
    const output = this.items(turn, serial);
    const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    return { id: "resp", object: "response", status: "completed", error: null, output, usage };
  },
  error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  results: (request) =>
    request.input.filter((i) => i.type === "function_call_output").map(({ output }) => output),
};

/** Messages. */
export const messages = {
  path: "/v1/messages",
  content(turn, serial) {
    const text = turn.text ? [{ type: "text", text: turn.text }] : [];
    const calls = (turn.calls ?? []).map(({ name, arguments: args }, index) => ({
      type: "tool_use",
      ...(turn.ids === false ? {} : { id: `toolu_${serial}_${index}` }),
      name,
      input: JSON.parse(args),
    }));
    return [...text, ...calls];
  },
  *frames(turn, serial) {
    const usage = { input_tokens: 100, output_tokens: 1 };
    const message = { id: "msg", type: "message", role: "assistant", content: [], usage };
    yield named({ type: "message_start", message });
    yield named({ type: "ping" });
    for (const [index, block] of this.content(turn, serial).entries()) {
      const call = block.type === "tool_use";
      const empty = call ? (turn.objects ? {} : { input: {} }) : { text: "" };
      yield named({ type: "content_block_start", index, content_block: { ...block, ...empty } });
      const deltas = call
        ? cut(turn.objects ? "" : JSON.stringify(block.input), 11).map((partial_json) => ({
            type: "input_json_delta",
            partial_json,
          }))
        : cut(block.text, 7).map((text) => ({ type: "text_delta", text }));
      for (const delta of deltas) yield named({ type: "content_block_delta", index, delta });
      yield named({ type: "content_block_stop", index });
    }
    yield ": a comment\n\n";
    const stop_reason = turn.finish ?? (turn.calls ? "tool_use" : "end_turn");
    const delta = { stop_reason, stop_sequence: null };
    yield named({ type: "message_delta", delta, usage: { output_tokens: 10 } });
    yield named({ type: "message_stop" });
  },
  whole(turn, serial) {
    const stop_reason = turn.finish ?? (turn.calls ? "tool_use" : "end_turn");
    const usage = { input_tokens: 100, output_tokens: 10 };
    const content = this.content(turn, serial);
    return { id: "msg", type: "message", role: "assistant", content, stop_reason, usage };
  },
  error: (message) => ({ type: "error", error: { type: "api_error", message } }),
  results: (request) =>
    request.messages
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => content),
};

/** Every format by the name that the package calls it. */
export const WIRES = {
  "openai-chat": chat,
  "openai-responses": responses,
  anthropic: messages,
};
