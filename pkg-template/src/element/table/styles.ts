// The look of the grid.

import { css } from "lit";

export const GRID = css`
  .frame {
    position: relative;
    border: 1px solid var(--_line);
    border-radius: 8px;
    overflow: hidden;
  }
  /* There are more columns at the right: the shadow leaves the numbers below it to be read. */
  .frame::after {
    content: "";
    position: absolute;
    z-index: 2;
    inset: 0 0 0 auto;
    width: 6px;
    background: linear-gradient(
      to right,
      transparent,
      color-mix(in srgb, var(--_ink) 30%, transparent)
    );
    opacity: 0;
    pointer-events: none;
  }
  .frame:has(.more)::after {
    opacity: 1;
  }
  .view {
    position: relative;
    height: min(var(--_content, 6em), var(--pinhole-table-height, 26em));
    min-height: 4.5em;
    overflow: auto;
    contain: strict;
    overscroll-behavior: contain;
    font-size: 0.9em;
    background: var(--_ground);
  }
  .frame.none .view {
    height: 32px;
    min-height: 32px;
    overflow: hidden;
  }
  .frame .empty {
    border: 0;
  }
  .view:focus-visible {
    outline: none;
  }
  .frame:has(.view:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }
  .size {
    position: relative;
    min-width: 100%;
  }
  .pane {
    position: sticky;
    top: 0;
    left: 0;
    overflow: clip;
  }
  .head {
    position: relative;
    z-index: 1;
    height: 32px;
    overflow: clip;
    background: var(--_raised);
    border-bottom: 1px solid var(--_line);
  }
  .body {
    position: relative;
  }
  .head-row,
  .view .row {
    position: absolute;
    top: 0;
    left: 0;
  }
  .head-row {
    height: 32px;
  }
  .view .row {
    height: 28px;
    border-bottom: 1px solid var(--_line);
    will-change: transform;
  }
  .cell {
    position: absolute;
    top: 0;
    height: 27px;
    padding-inline: 10px;
    line-height: 27px;
    overflow: hidden;
    white-space: pre;
    text-overflow: ellipsis;
    cursor: default;
    user-select: none;
  }
  .cell.num {
    text-align: end;
  }
  .cell.none {
    color: var(--_quiet);
    font-style: italic;
  }
  .cell.wait::after {
    content: "";
    display: inline-block;
    width: 60%;
    height: 0.6em;
    border-radius: 4px;
    background: var(--_line);
  }
  .cell.selected {
    background: var(--_accent-soft);
  }
  /* What a row is of stays in sight beside the columns that scroll. */
  .pinned .cell.first {
    z-index: 1;
    background: var(--_ground);
    transform: translateX(var(--_left, 0));
  }
  .pinned .head .cell.first {
    background: var(--_raised);
  }
  .pinned .cell.first.selected {
    background: var(--_accent-soft);
  }
  .pinned .cell.first::before {
    content: "";
    position: absolute;
    inset: 0 0 0 auto;
    width: 1px;
    background: var(--_line);
  }
  .cell.current {
    box-shadow: inset 0 0 0 1px var(--_field-line);
  }
  .view:focus .cell.current {
    box-shadow: inset 0 0 0 2px var(--_accent);
  }
  /* There are no shadows there, and one ground for all. */
  @media (forced-colors: active) {
    .cell.selected,
    .pinned .cell.first.selected,
    .cell.selected * {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .cell.current {
      outline: 1px solid CanvasText;
      outline-offset: -2px;
    }
    .view:focus .cell.current {
      outline-width: 2px;
    }
  }
  .head .cell {
    display: flex;
    align-items: center;
    gap: 6px;
    height: 31px;
    line-height: 31px;
    font-weight: 600;
  }
  .head .cell.can {
    cursor: pointer;
  }
  .head .cell.num {
    justify-content: flex-end;
  }
  .head .label {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .unit {
    flex: none;
    color: var(--_quiet);
    font-weight: 400;
  }
  .arrow {
    flex: none;
    font-size: 0.7em;
  }
  .unit:empty,
  .arrow:empty {
    display: none;
  }
  .grip {
    position: absolute;
    top: 0;
    inset-inline-end: 0;
    width: 8px;
    height: 100%;
    cursor: col-resize;
    touch-action: none;
  }
  .grip::after {
    content: "";
    position: absolute;
    inset: 8px 0 8px auto;
    width: 1px;
    background: var(--_line);
  }
  .empty {
    display: grid;
    place-content: center;
    justify-items: center;
    min-height: 6em;
    padding: 1em;
    border: 1px solid var(--_line);
    border-radius: 8px;
    text-align: center;
  }
  /* The word and the kinds of files that it is about go to the next line together. */
  .saves {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4em 0.5em;
  }
  .detail {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 1em;
    align-items: baseline;
    min-height: 1.9em;
    max-height: 8em;
    padding-block-start: 0.4em;
    overflow: auto;
    font-size: 0.875em;
  }
  .detail .where {
    color: var(--_quiet);
    overflow-wrap: anywhere;
  }
  .detail .what {
    flex: 1 1 12em;
    min-width: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    user-select: text;
  }
  .detail .what.none {
    color: var(--_quiet);
    font-style: italic;
  }
  .raw {
    max-height: var(--pinhole-table-height, 26em);
    margin: 0;
    padding: 0.8em;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_raised);
    font: 0.85em/1.5 var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .said {
    min-height: 1.4em;
  }
`;
