// The look of a chart with its choices and words.

import { css } from "lit";

export const CHART = css`
  /* Out of sight and still with boxes: a colour that changes is heard of as a transition that ends. */
  .probe {
    position: absolute;
    visibility: hidden;
  }
  .probe i {
    transition: color 1ms !important;
  }
  .probe .ink {
    color: var(--_ink);
  }
  .probe .quiet {
    color: var(--_quiet);
  }
  .probe .line {
    color: var(--_line);
  }
  .probe .ground {
    color: var(--_ground);
  }
  .probe .accent {
    color: var(--_accent);
  }
  /* Ink would be the colour of the ground, too. */
  @media (forced-colors: active) {
    .probe .ground {
      color: Canvas;
    }
    .probe .accent {
      color: Highlight;
    }
  }
  :host {
    container-type: inline-size;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    max-width: 100%;
  }
  select {
    min-width: 0;
    text-overflow: ellipsis;
  }
  .saves {
    display: inline-flex;
    flex: none;
    margin-inline-start: auto;
    gap: 0.4em;
  }
  /* Where there is little room, each choice has a line: names of columns are long. */
  @container (max-width: 24rem) {
    .bar label {
      flex: 1 1 100%;
    }
    .bar label .quiet {
      flex: 0 0 6.2em;
    }
    .bar select {
      flex: 1;
      max-width: none;
    }
  }
  figure {
    margin: 0;
  }
  .drawing {
    min-height: 308px;
    overflow: hidden;
  }
  /* Few bars beside their names need less. */
  .drawing.flat {
    min-height: 0;
  }
  .drawing svg {
    display: block;
    max-width: 100%;
  }
  figcaption {
    display: grid;
    gap: 0.3em;
    padding-block-start: 0.4em;
    font-size: 0.9em;
  }
  figcaption p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .note {
    padding: 0.35em 0.7em;
    border-radius: 8px;
    background: var(--_corrected-soft);
  }
  .empty {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.4em;
    min-height: 12em;
    padding: 1em;
    border: 1px solid var(--_line);
    border-radius: 8px;
    text-align: center;
  }
  /* As high as a chart with its words: nothing jumps when it comes. */
  .awaited {
    min-height: calc(308px + 3.35em);
  }
  @media (max-width: 34rem) {
    .awaited {
      min-height: calc(308px + 6em);
    }
  }
  summary {
    width: fit-content;
    color: var(--_accent);
    cursor: pointer;
  }
  .scroll {
    max-height: 18em;
    margin-block-start: 0.4em;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: 8px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.25em 0.7em;
    border-bottom: 1px solid var(--_line);
    text-align: start;
  }
  th {
    position: sticky;
    top: 0;
    background: var(--_raised);
  }
  .num {
    text-align: end;
  }
`;
