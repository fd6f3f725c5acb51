// The look of an answer: its text, the marks, and their notes.

import { css } from "lit";

export const ANSWER_STYLES = css`
  :host {
    position: relative;
  }
  .text {
    line-height: 1.6;
  }
  .text.plain {
    white-space: pre-wrap;
  }
  .text > * + * {
    margin-block-start: 0.6em;
  }
  .text h3,
  .text h4 {
    margin-block-end: 0;
    font-size: 1em;
  }
  .text table {
    width: auto;
  }
  .text blockquote {
    margin-inline: 0;
    padding-inline-start: 0.8em;
    border-inline-start: 3px solid var(--_line);
    color: var(--_quiet);
  }
  .text pre {
    overflow: auto;
  }
  a {
    color: var(--_accent);
  }
  :host([draft]) .text {
    color: var(--_quiet);
  }
  .claim {
    padding: 0 0.1em;
    border-radius: 3px;
    border-bottom: 2px solid var(--_mark);
    background: var(--_mark-soft);
    color: inherit;
    font-weight: 600;
    cursor: help;
  }
  .claim.short {
    white-space: nowrap;
  }
  .claim.unverifiable {
    border-bottom-style: dashed;
  }
  .claim.contradicted {
    border-bottom-style: double;
    border-bottom-width: 3px;
  }
  .claim.withheld {
    border-bottom-style: dotted;
  }
  .claim .sign {
    display: inline;
    margin-inline-start: 0.15em;
    vertical-align: 0.35em;
  }
  .note {
    position: absolute;
    z-index: 3;
    display: flex;
    flex-direction: column;
    gap: 0.4em;
    width: max-content;
    max-width: min(22em, 100%);
    padding: 0.7em 0.85em;
    border: 1px solid var(--_line);
    border-radius: 10px;
    background: var(--_ground);
    box-shadow: 0 8px 28px rgb(0 0 0 / 22%);
    font-size: 0.875em;
    line-height: 1.4;
  }
  .note.wide {
    width: 100%;
    max-width: 100%;
  }
  .note .scroll {
    max-height: 10em;
  }
  /* A long name, in the head or in a row, leaves the number in sight. */
  .note :is(th, td) {
    max-width: 9em;
    white-space: normal;
    overflow-wrap: break-word;
    vertical-align: bottom;
  }
  .note td.num {
    white-space: nowrap;
  }
  /* Where there is little room, what stands between the verdict and the button scrolls. */
  .note .more {
    display: flex;
    flex: 0 1 auto;
    flex-direction: column;
    gap: 0.4em;
    min-height: 3em;
    overflow-y: auto;
  }
  .note .more.cut {
    mask-image: linear-gradient(#000 calc(100% - 0.9em), transparent);
  }
  .note .more > * {
    flex: none;
  }
  .note > :not(.more) {
    flex: none;
  }
  .note button {
    align-self: start;
  }
  .wrong {
    margin-block: 0.5em 0;
    padding: 0;
    list-style: none;
  }
  .wrong li {
    display: flex;
    gap: 0.4em;
    margin-block-start: 0.3em;
  }
  .counts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2em 0.9em;
    margin-block-start: 0.6em;
    padding: 0;
    list-style: none;
  }
`;
