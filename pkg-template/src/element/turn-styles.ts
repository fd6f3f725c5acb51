// The look of a question with its tabs.

import { css } from "lit";

export const TURN_STYLES = css`
  :host {
    padding-block: 0.35em;
  }
  .heading {
    margin: 0;
    font-size: 1em;
  }
  .question {
    align-items: baseline;
    justify-content: flex-start;
    width: 100%;
    min-height: 2.2em;
    padding: 0.35em 0.6em;
    border-color: transparent;
    background: var(--_raised);
    font-weight: 600;
    text-align: start;
  }
  .place {
    width: 100%;
    overflow-wrap: anywhere;
  }
  .place mark {
    background: none;
    color: inherit;
    font-weight: 700;
    text-decoration: wavy underline;
  }
  .question::before {
    content: "▾";
    color: var(--_quiet);
  }
  :host([folded]) .question::before {
    content: "▸";
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    margin-block: 0.5em 0.7em;
    border-bottom: 1px solid var(--_line);
  }
  .tabs button {
    min-height: 2.2em;
    padding: 0.2em 0.45em;
    border: 0;
    border-bottom: 2px solid transparent;
    border-radius: 6px 6px 0 0;
    background: none;
    color: var(--_quiet);
    font-size: 0.93em;
  }
  @media (max-width: 480px) {
    .tabs button {
      padding-inline: 0.3em;
      font-size: 0.87em;
    }
  }
  .tabs button[aria-selected="true"] {
    border-bottom-color: var(--_accent);
    color: var(--_ink);
  }
  @media (forced-colors: active) {
    .tabs button[aria-selected="true"] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
  .tabs button:focus-visible {
    outline-offset: -2px;
  }
  .panel {
    min-height: var(--pinhole-answer-height, 7.5em);
    border-radius: 6px;
  }
  .working {
    display: flex;
    align-items: center;
    gap: 0.6em;
    min-height: 2.25em;
  }
  .working::before {
    content: "";
    width: 0.9em;
    height: 0.9em;
    border: 2px solid var(--_line);
    border-top-color: var(--_accent);
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }
  .working button {
    margin-inline-start: auto;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  .asked-before {
    display: grid;
    gap: 0.3em;
    margin: 0.3em 0 0;
    padding: 0;
    list-style: none;
  }
  .note {
    padding: 0.5em 0.7em;
    border-radius: 6px;
    background: var(--_raised);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
  }
  .asked-before button,
  .choices button {
    text-align: start;
  }
`;
