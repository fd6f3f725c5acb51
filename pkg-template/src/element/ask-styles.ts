// The look of the panel: floating, docked, or all of a small window.

import { css } from "lit";

export const ASK_STYLES = css`
  :host {
    display: contents;
  }
  .launcher {
    position: fixed;
    inset-block-end: 20px;
    inset-inline-end: 20px;
    z-index: var(--pinhole-z-index, 1000);
    min-height: 3em;
    padding: 0.5em 1.2em;
    border-color: var(--_accent);
    border-radius: 999px;
    background: var(--_accent);
    color: var(--_accent-ink);
    font: var(--_font);
    font-weight: 600;
    box-shadow: 0 6px 20px rgb(0 0 0 / 22%);
  }
  .panel {
    position: fixed;
    z-index: var(--pinhole-z-index, 1000);
    display: flex;
    flex-direction: column;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_ground);
    color: var(--_ink);
    font: var(--_font);
    font-variant-numeric: tabular-nums;
    box-shadow: 0 12px 44px rgb(0 0 0 / 24%);
  }
  .panel:not([inert]) {
    animation: appear 0.14s ease-out;
  }
  /* Closed, it keeps its boxes: not every browser remembers how far what has none was scrolled. */
  .panel[inert] {
    visibility: hidden;
  }
  @keyframes appear {
    from {
      opacity: 0;
      transform: translateY(8px);
    }
  }
  .panel.docked {
    inset-block: 0;
    max-width: 100vw;
    border-radius: 0;
    border-block: 0;
  }
  .panel.left {
    left: 0;
  }
  .panel.right {
    right: 0;
  }
  header {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.15em;
    padding: 0.45em 0.45em 0.45em 0.95em;
    border-bottom: 1px solid var(--_line);
    border-radius: var(--_radius) var(--_radius) 0 0;
    background: var(--_raised);
    touch-action: none;
    user-select: none;
  }
  .panel:not(.docked) header {
    cursor: move;
  }
  .docked header {
    border-radius: 0;
  }
  h2 {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    font-size: 1em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .icon {
    flex: none;
    width: 2.25em;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_quiet);
  }
  .icon:hover:enabled {
    border-color: transparent;
    background: var(--_accent-soft);
    color: var(--_accent);
  }
  svg {
    width: 1.15em;
    height: 1.15em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .body {
    flex: 1;
    min-height: 0;
    padding: 0.6em 0.95em 0.9em;
    overflow-y: auto;
    overscroll-behavior: contain;
    scroll-behavior: smooth;
  }
  .welcome {
    display: grid;
    gap: 0.6em;
    padding-block: 0.6em;
  }
  .welcome h3 {
    font-size: 1.15em;
  }
  .suggestions {
    display: grid;
    gap: 0.4em;
    margin-block-start: 0.4em;
  }
  .suggestions button {
    justify-content: flex-start;
    text-align: start;
  }
  progress {
    width: 100%;
    accent-color: var(--_accent);
  }
  footer {
    flex: none;
    padding: 0.7em 0.95em 0.8em;
    border-top: 1px solid var(--_line);
  }
  footer p {
    margin-block-start: 0.45em;
    padding-inline-end: 1.4em;
  }
  .resize {
    position: absolute;
    inset-block-end: 0;
    right: 0;
    width: 24px;
    min-height: 24px;
    padding: 0;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--_quiet);
    cursor: nwse-resize;
    touch-action: none;
  }
  .docked .resize {
    inset-block: 45% auto;
    right: -12px;
    height: 3.2em;
    border: 1px solid var(--_line);
    background: var(--_ground);
    cursor: ew-resize;
  }
  .docked.right .resize {
    right: auto;
    left: -12px;
  }
  .docked .resize svg {
    transform: rotate(45deg);
  }
  .resize svg {
    width: 14px;
    height: 14px;
  }
  @media (max-width: 480px) {
    .panel,
    .panel.docked {
      inset: 0;
      width: auto !important;
      border: 0;
      border-radius: 0;
    }
    header {
      border-radius: 0;
    }
    .panel:not(.docked) header {
      cursor: auto;
    }
    .resize,
    .only-wide {
      display: none;
    }
  }
`;
