// The settings dialog: which endpoint answers, in which format, with which model. A key stays in
// memory, and only after an explicit word; nothing here stores one.

import { shownHost, shownOrigin } from "./addresses.js";
import { reload } from "./carry.js";
import { button, follow, h, rich, tx } from "./dom.js";
import { t } from "./i18n.js";
import { keyNow, putKeyAway, setKey } from "./key.js";
import { openPersonal } from "./personal.js";
import { levelNow } from "./policy.js";
import { forgetRemembered, rememberedTables } from "./remembered.js";
import { save, savedElsewhere, settings } from "./settings.js";

const $ = (id) => document.getElementById(id);

/** Where endpoints of each format take requests, behind the number of their version. */
const ROUTES = {
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
  anthropic: "/messages",
};

/** The key is not shown: the address that stands there is of another server. */
let aside = false;
/** Gives what is known of each table. */
let tablesNow = () => [];

/** Whether a model answers, or the built-in planner alone. */
export function hasEndpoint() {
  return Boolean(settings().endpoint);
}

/** The options of a conversation with the endpoint. */
export function chatOptions() {
  const { endpoint, model, wire = "openai-chat" } = settings();
  const key = keyNow();
  return {
    endpoint,
    wire,
    // Where the policy protects something the engine offers none.
    scripts: true,
    ...(model ? { model } : {}),
    ...(key ? { headers: headersFor(wire, key), dangerouslyAllowBrowserKey: true } : {}),
  };
}

function headersFor(wire, key) {
  return wire === "anthropic"
    ? {
        "x-api-key": key,
        "anthropic-version": "2023-06-01",
        "anthropic-dangerous-direct-browser-access": "true",
      }
    : { authorization: `Bearer ${key}` };
}

/** Says in the button `chip` which model answers, and where; the planner alone needs no word. */
export function showEndpoint(chip) {
  const { endpoint, model } = settings();
  chip.hidden = !endpoint;
  if (!endpoint) return;
  const host = isAddress(endpoint) ? shownHost(new URL(endpoint, location.href)) : endpoint;
  const named = model || t("model_none");
  // Where there is little room, where the bytes go is what stays.
  chip.textContent = `${host} · ${named}`;
  chip.title = `${endpoint} · ${named}`;
}

/** Shows the dialog; `wrong` names a field without which nothing can be asked. */
export function openSettings(wrong) {
  const { endpoint, model, wire } = settings();
  $("endpoint").value = endpoint ?? "";
  $("model").value = model ?? "";
  $("wire").value = wire ?? "openai-chat";
  $("endpoint-error").textContent = "";
  $("model-error").textContent = "";
  const key = keyNow();
  aside = false;
  $("key").value = key;
  $("key-allow").checked = key !== "";
  $("key-box").open = key !== "";
  showKey();
  showExample();
  showHosts();
  showRemembered();
  showGets();
  $("settings").showModal();
  if (wrong === "model") lacksModel();
}

function lacksModel() {
  $("model-error").textContent = t("model_missing");
  $("model").focus();
}

/** Wires the dialog up; `changed()` hears of other settings, `tables()` gives what is known of each table. */
export function setUpSettings(changed, tables) {
  tablesNow = tables;
  // The button stays where the focus comes back to.
  $("endpoint-gets").append(
    h("span"),
    button("gets_review", () => $("policy").click(), { class: "plain", testid: "gets-review" }),
  );
  follow($("endpoint-gets"), showGets);
  for (const opener of ["settings-open", "model-open"])
    $(opener).addEventListener("click", () => openSettings());
  $("key-allow").addEventListener("change", showKey);
  $("endpoint").addEventListener("input", showKey);
  follow($("endpoint-example"), showExample);
  $("wire").addEventListener("change", showExample);
  $("settings-form").addEventListener("submit", (event) => {
    const wire = $("wire").value;
    const endpoint = completed($("endpoint").value.trim(), wire);
    $("endpoint-error").textContent = "";
    $("model-error").textContent = "";
    if (endpoint !== "" && !isAddress(endpoint)) {
      event.preventDefault();
      $("endpoint-error").textContent = t("endpoint_bad");
      $("endpoint").focus();
      return;
    }
    if (endpoint !== "" && $("model").value.trim() === "") {
      event.preventDefault();
      lacksModel();
      return;
    }
    const next = { endpoint, model: $("model").value.trim(), wire };
    const key = endpoint !== "" && $("key-allow").checked ? $("key").value.trim() : "";
    if (endpoint !== (settings().endpoint ?? "")) {
      // The page's policy names the endpoint: it is written anew when the page loads. Until then the
      // person may think better of it.
      event.preventDefault();
      void reload(() => {
        save(next);
        putKeyAway(key);
        $("key").value = "";
      });
      return;
    }
    setKey(key);
    $("key").value = "";
    save(next);
    showElsewhere();
    changed();
  });
  addEventListener("storage", showElsewhere);
  $("elsewhere-reload").addEventListener("click", () => void reload(() => undefined));
}

function showElsewhere() {
  $("elsewhere").hidden = !savedElsewhere();
}

/** Says what a model at the endpoint gets by the policy of now. */
function showGets() {
  const n = openPersonal(tablesNow());
  $("endpoint-gets").firstChild.replaceChildren(
    tx(`gets_${levelNow()}`),
    ...(n > 0 ? [" ", h("b", {}, tx("gets_personal", { n }))] : []),
    " ",
  );
}

/** The servers that files may come from, each with a way to take that back. */
function showHosts() {
  const { hosts = [] } = settings();
  $("hosts").replaceChildren(
    ...(hosts.length === 0
      ? [h("li", { class: "quiet small", testid: "hosts-none" }, tx("hosts_none"))]
      : hosts.map((origin) => {
          const name = h("code", { id: `host-${origin}` }, shownOrigin(origin));
          const remove = button(
            "remove",
            () =>
              void reload(() => {
                const { hosts: now = [] } = settings();
                save({ hosts: now.filter((one) => one !== origin) });
              }),
            { class: "small", testid: "host-remove", "aria-describedby": name.id },
          );
          return h("li", { testid: "host", "data-origin": origin }, name, remove);
        })),
  );
}

/** The tables whose protected columns are remembered, with a way to forget them. */
function showRemembered() {
  const names = rememberedTables();
  const forget = () => {
    forgetRemembered();
    showRemembered();
    $("remembered").focus();
  };
  $("remembered").replaceChildren(
    names.length === 0
      ? h("li", { class: "quiet small" }, tx("remembered_none"))
      : h(
          "li",
          { class: "small" },
          tx("remembered_of", { n: names.length, names: names.join(", ") }),
          button("remembered_forget", forget, { class: "small", testid: "remembered-forget" }),
        ),
  );
}

/** A key can be typed once its risk was accepted; that of one server is not sent to another. */
function showKey() {
  $("key-field").hidden = !$("key-allow").checked;
  const field = $("key");
  const elsewhere = originOf($("endpoint").value.trim()) !== originOf(settings().endpoint ?? "");
  if (elsewhere && !aside && field.value === keyNow()) {
    field.value = "";
    aside = true;
  } else if (!elsewhere && aside) {
    field.value ||= keyNow();
    aside = false;
  }
}

/** Says how an address looks for the format that is chosen. */
function showExample() {
  const route = `/v1${ROUTES[$("wire").value] ?? ""}`;
  $("endpoint").placeholder = `https://…${route}`;
  $("endpoint-example").replaceChildren(...rich(t("endpoint_example", { route })));
}

/** An address that ends with the number of a version, as many are given, with the rest of it. */
function completed(address, wire) {
  return /\/v\d+\/?$/.test(address) ? address.replace(/\/?$/, ROUTES[wire] ?? "") : address;
}

function originOf(address) {
  try {
    return new URL(address, location.href).origin;
  } catch {
    return undefined;
  }
}

/** A whole address, or a path of this server: a host without `https://` would be taken for a path. */
function isAddress(text) {
  if (!/^(https?:\/\/|\.{0,2}\/)\S*$/i.test(text)) return false;
  try {
    return /^https?:$/.test(new URL(text, location.href).protocol);
  } catch {
    return false;
  }
}
