// The look: tokens that a page can set as custom properties, and what several elements share.
// Light and dark follow the page's `color-scheme`.

import { css } from "lit";

export const TOKENS = css`
  :host {
    --_ground: var(--pinhole-ground, #ffffff);
    --_raised: var(--pinhole-raised, #f6f6f3);
    --_ink: var(--pinhole-ink, #1b1f23);
    --_quiet: var(--pinhole-quiet, #5b636b);
    --_line: var(--pinhole-line, #dcdcd6);
    --_field-line: var(--pinhole-field-line, #84898d);
    --_accent: var(--pinhole-accent, #0f6b5c);
    --_accent-ink: var(--pinhole-accent-ink, #ffffff);
    --_accent-soft: var(--pinhole-accent-soft, #e2f1ed);
    --_verified: var(--pinhole-verified, #116b3a);
    --_verified-soft: var(--pinhole-verified-soft, #dff3e6);
    --_derived: var(--pinhole-derived, #1d4f91);
    --_derived-soft: var(--pinhole-derived-soft, #e1ebf8);
    --_corrected: var(--pinhole-corrected, #8a4b00);
    --_corrected-soft: var(--pinhole-corrected-soft, #fdeed6);
    --_bad: var(--pinhole-bad, #a8201a);
    --_bad-soft: var(--pinhole-bad-soft, #fbe4e2);
    --_unverifiable: var(--pinhole-unverifiable, #5c5470);
    --_unverifiable-soft: var(--pinhole-unverifiable-soft, #ece9f3);
    --_radius: var(--pinhole-radius, 12px);
    --_font: var(
      --pinhole-font,
      15px/1.5 system-ui,
      -apple-system,
      "Segoe UI",
      Roboto,
      "Noto Sans",
      sans-serif
    );
    --_mono: var(
      --pinhole-mono,
      ui-monospace,
      "SFMono-Regular",
      "Cascadia Mono",
      Menlo,
      Consolas,
      monospace
    );
    display: block;
    color: var(--_ink);
    font: var(--_font);
    font-variant-numeric: tabular-nums;
    text-align: start;
    overflow-wrap: anywhere;
    hyphens: auto;
    hyphenate-limit-chars: 14 5 5;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host([theme="auto"]) {
    color-scheme: light dark;
  }
  @supports (color: light-dark(#000, #fff)) {
    :host {
      --_ground: var(--pinhole-ground, light-dark(#ffffff, #1b1f22));
      --_raised: var(--pinhole-raised, light-dark(#f6f6f3, #14181a));
      --_ink: var(--pinhole-ink, light-dark(#1b1f23, #e8eaeb));
      --_quiet: var(--pinhole-quiet, light-dark(#5b636b, #a2abb3));
      --_line: var(--pinhole-line, light-dark(#dcdcd6, #343a3f));
      --_field-line: var(--pinhole-field-line, light-dark(#84898d, #737d85));
      --_accent: var(--pinhole-accent, light-dark(#0f6b5c, #57c7ae));
      --_accent-ink: var(--pinhole-accent-ink, light-dark(#ffffff, #06231d));
      --_accent-soft: var(--pinhole-accent-soft, light-dark(#e2f1ed, #173730));
      --_verified: var(--pinhole-verified, light-dark(#116b3a, #7fd6a3));
      --_verified-soft: var(--pinhole-verified-soft, light-dark(#dff3e6, #16341f));
      --_derived: var(--pinhole-derived, light-dark(#1d4f91, #9cc3f5));
      --_derived-soft: var(--pinhole-derived-soft, light-dark(#e1ebf8, #1a2c45));
      --_corrected: var(--pinhole-corrected, light-dark(#8a4b00, #f2bd77));
      --_corrected-soft: var(--pinhole-corrected-soft, light-dark(#fdeed6, #3c2a10));
      --_bad: var(--pinhole-bad, light-dark(#a8201a, #ff9b93));
      --_bad-soft: var(--pinhole-bad-soft, light-dark(#fbe4e2, #401c1a));
      --_unverifiable: var(--pinhole-unverifiable, light-dark(#5c5470, #c3b9de));
      --_unverifiable-soft: var(--pinhole-unverifiable-soft, light-dark(#ece9f3, #2c2738));
    }
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  .quiet {
    color: var(--_quiet);
  }
  .small {
    font-size: 0.875em;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;

export const CONTROLS = css`
  h2,
  h3,
  p,
  ul,
  dl,
  dd,
  pre {
    margin: 0;
  }
  h3 {
    font-size: 1em;
  }
  ul {
    padding-inline-start: 1.2em;
  }
  code,
  pre,
  textarea {
    font-family: var(--_mono);
    font-size: 0.9em;
    hyphens: manual;
  }
  .strong {
    font-weight: 600;
  }
  .bad {
    color: var(--_bad);
  }
  .good {
    color: var(--_verified);
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em;
  }
  .between {
    justify-content: space-between;
  }
  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75em;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-height: 2.25em;
    padding: 0.25em 0.75em;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_ground);
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  button:hover:enabled {
    border-color: var(--_accent);
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  button[aria-pressed="true"] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }
  button.primary {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_accent-ink);
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  button.compact {
    min-height: 1.9em;
    padding: 0.1em 0.6em;
    font-size: 0.875em;
  }
  .warning,
  .error {
    display: grid;
    gap: 0.4em;
    padding: 0.6em 0.8em;
    border-radius: 8px;
    background: var(--_corrected-soft);
  }
  .error {
    border: 1px solid var(--_bad);
    background: var(--_bad-soft);
  }
  .stopped {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4em 0.8em;
    padding: 0.45em 0.8em;
    border-radius: 8px;
    background: var(--_raised);
    color: var(--_quiet);
  }
  .error-title {
    color: var(--_bad);
    font-weight: 600;
  }
  .facts {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.15em 0.8em;
  }
  .facts dt {
    color: var(--_quiet);
  }
`;

export const SIGN_STYLES = css`
  /* No part of the text: it is not copied with it. */
  .sign {
    display: inline-block;
    -webkit-user-select: none;
    user-select: none;
    font-size: 0.75em;
    font-weight: 700;
    line-height: 1;
  }
  .verified {
    --_mark: var(--_verified);
    --_mark-soft: var(--_verified-soft);
  }
  .derived {
    --_mark: var(--_derived);
    --_mark-soft: var(--_derived-soft);
  }
  .corrected {
    --_mark: var(--_corrected);
    --_mark-soft: var(--_corrected-soft);
  }
  .contradicted,
  .withheld {
    --_mark: var(--_bad);
    --_mark-soft: var(--_bad-soft);
  }
  .unverifiable {
    --_mark: var(--_unverifiable);
    --_mark-soft: var(--_unverifiable-soft);
  }
  .sign,
  .mark-ink {
    color: var(--_mark);
  }
`;

export const TABLE_STYLES = css`
  .scroll {
    overflow: auto;
    max-height: var(--pinhole-table-height, 22em);
    border: 1px solid var(--_line);
    border-radius: 8px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.9em;
  }
  th,
  td {
    padding: 0.3em 0.7em;
    border-bottom: 1px solid var(--_line);
    text-align: start;
    white-space: nowrap;
  }
  tbody tr:last-child td {
    border-bottom: 0;
  }
  thead th {
    position: sticky;
    top: 0;
    background: var(--_raised);
    font-weight: 600;
  }
  td.num,
  th.num {
    text-align: end;
  }
  td.long {
    min-width: 16em;
    white-space: normal;
  }
  td.none {
    color: var(--_quiet);
  }
`;

/** The table and the chart: smaller controls in a bar above what is shown. */
export const PART_STYLES = css`
  :host {
    background: var(--_ground);
    overflow-wrap: normal;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4em 0.5em;
    padding-block-end: 0.5em;
  }
  .space {
    flex: 1;
  }
  button,
  select {
    min-height: 1.9em;
    padding: 0.1em 0.6em;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_ground);
    color: inherit;
    font: inherit;
    font-size: 0.875em;
    font-weight: 500;
    cursor: pointer;
  }
  select {
    max-width: 14em;
    border-color: var(--_field-line);
    font-weight: 400;
  }
  button:hover:enabled {
    border-color: var(--_accent);
  }
  button[aria-pressed="true"] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .error {
    display: grid;
    justify-items: start;
    gap: 0.3em;
    margin-block: 0.4em;
    padding: 0.6em 0.8em;
    border: 1px solid var(--_bad);
    border-radius: 8px;
    background: var(--_bad-soft);
    overflow-wrap: anywhere;
  }
  .stopped {
    margin-block: 0.4em;
    color: var(--_quiet);
  }
  .error p {
    margin: 0;
  }
  .error-title {
    color: var(--_bad);
    font-weight: 600;
  }
  progress {
    accent-color: var(--_accent);
    width: 8em;
  }
`;
