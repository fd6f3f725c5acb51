// <pinhole-chart>: a chart of a result, chosen by its shape and changed by the person, with its
// words, its values as a table, and its export.

import { type PropertyValues, html, nothing } from "lit";
import { PinholeElement, SHARED } from "../base.js";
import { giveFile } from "../download.js";
import { errorCard, failureOf } from "../errors.js";
import { fileName } from "../file-name.js";
import { type Head, headsOf } from "../heads.js";
import { PART_STYLES, TOKENS } from "../styles.js";
import { CellFormat } from "../table/format.js";
import { type RowSource, openRows } from "../table/rows.js";
import type { ChartChoice, ChartKind, Shown } from "../types.js";
import { MONTHS, along, alongMonths, alongOf, apartOf, isGrouped } from "./along.js";
import { exported } from "./export.js";
import { type Drawing, type Omission, draw } from "./points.js";
import { type Drawn, type Picture, picture, render } from "./render.js";
import {
  KINDS,
  fitting,
  isPossible,
  isSorted,
  monthsOf,
  numericOf,
  sameSize,
  sameUnit,
  turned,
  whyNone,
} from "./shape.js";
import { type Look, placeOf, specOf } from "./spec.js";
import { CHART } from "./styles.js";
import {
  amountText,
  areTogether,
  describe,
  drawnHeads,
  named,
  omissions,
  seriesText,
  titleOf,
} from "./words.js";

/** Values that the table beside the chart holds at most. */
const LISTED = 500;
/** All columns of numbers that were chosen at first. */
const ALL = "\u0000all";

export class ChartView extends PinholeElement {
  static override properties = {
    ...SHARED,
    result: { attribute: false },
    choice: { attribute: false },
    name: {},
    asked: { attribute: false },
    source: { state: true },
    drawing: { state: true },
    failure: { state: true },
    progress: { state: true },
    state: { state: true },
  };

  declare result: Shown | undefined;
  declare choice: ChartChoice | undefined;
  declare name: string | undefined;
  /** The question that the chart answers. */
  declare asked: string | undefined;
  declare private source: RowSource | undefined;
  declare private drawing: Drawing | undefined;
  declare private failure: unknown;
  declare private progress: [done: number, total: number] | undefined;
  declare private state: "nothing" | "reading" | "none" | "drawn";
  #format = new CellFormat("en");
  #drawn: Drawn | undefined;
  #turn = 0;
  /** The last choice of the person. */
  #picked: ChartChoice | undefined;
  /** What was chosen without a split, and with the one that its rows have need of. */
  #split: { of: ChartChoice; as: ChartChoice } | undefined;
  /** What is to have no split: a person said so. */
  #whole: ChartChoice | undefined;
  /** What is drawn where what fits by its columns does not by its rows. */
  #instead: ChartChoice | undefined;
  #stop: AbortController | undefined;
  /** What was drawn last: the width, and the colours. */
  #painted = "";
  #rendering: Promise<void> = Promise.resolve();
  readonly #watch: ResizeObserver | undefined;
  readonly #repaint = (): void => {
    this.#painted = "";
    this.#paint();
  };

  constructor() {
    super();
    this.state = "nothing";
    if (typeof ResizeObserver !== "undefined")
      this.#watch = new ResizeObserver(() => {
        this.#paint();
      });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch?.observe(this);
    if (this.drawing) this.#repaint();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.disconnect();
    this.#stop?.abort();
    this.#drawn?.close();
    this.#drawn = undefined;
  }

  async toSVG(): Promise<string> {
    const svg = await (await this.#picture()).svg();
    const title = this.#words().replace(/[<>&]/g, (one) => `&#${one.charCodeAt(0)};`);
    return svg.replace(/^<svg[^>]*>/, (tag) => `${tag}<title>${title}</title>`);
  }

  async toPNG(scale = 2): Promise<Blob> {
    return (await this.#picture()).png(scale);
  }

  /** What is drawn, once more for a file. */
  async #picture(): Promise<Picture> {
    await this.updateComplete;
    // Colours that changed just now are there when their transitions have ended.
    const probe = this.renderRoot.querySelector(".probe");
    const changes = probe?.getAnimations({ subtree: true }) ?? [];
    await Promise.allSettled(changes.map(({ finished }) => finished));
    this.#paint();
    await this.#rendering;
    const { drawing, source } = this;
    const place = this.renderRoot.querySelector<HTMLElement>(".drawing");
    if (!this.#drawn || !drawing || !source || !place) throw new TypeError(this.t("chart_none"));
    const look = this.#look(Math.floor(place.clientWidth));
    const heads = this.#drawnHeads(source, drawing);
    const spec = exported(drawing, heads, this.#format, look, this.asked);
    return picture(spec, this.language);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.#format.locale !== this.language) this.#format = new CellFormat(this.language);
    if (changed.has("result")) {
      // What a person chose was for the result before; what the page chose stays.
      if (this.choice === this.#picked && !changed.has("choice")) this.choice = undefined;
      void this.#open();
    } else if (changed.has("choice") && this.source) void this.#draw(this.source);
    else if (changed.has("locale") && this.drawing && this.source) void this.#draw(this.source);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("drawing") && this.drawing) this.#repaint();
  }

  /** What is drawn: what was chosen, where its columns are there, else what fits. */
  get #choice(): ChartChoice | undefined {
    return this.#chosen ?? this.#instead ?? this.#fitting;
  }

  get #chosen(): ChartChoice | undefined {
    const { source, choice } = this;
    const can = choice && source && source.total > 0 && isPossible(choice, source.columns);
    if (!can) return undefined;
    return this.#split?.of === choice ? this.#split.as : choice;
  }

  get #fitting(): ChartChoice | undefined {
    const { source, result } = this;
    return source && result && fitting(result, source.columns, source.total);
  }

  async #open(): Promise<void> {
    const turn = ++this.#turn;
    this.#stop?.abort();
    this.source = undefined;
    this.drawing = undefined;
    this.#instead = undefined;
    this.failure = undefined;
    this.state = this.result ? "reading" : "nothing";
    if (!this.result) return;
    try {
      const source = await openRows(this.result);
      if (turn !== this.#turn) return;
      this.source = source;
      await this.#draw(source);
    } catch (error) {
      if (turn === this.#turn) this.failure = error;
    }
  }

  async #draw(source: RowSource): Promise<void> {
    const turn = ++this.#turn;
    this.#stop?.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.failure = undefined;
    const choice = this.#choice;
    if (!choice) {
      this.drawing = undefined;
      this.state = "none";
      return;
    }
    if (!this.drawing) this.state = "reading";
    const told = (done: number, total: number): void => {
      if (turn === this.#turn && done < total) this.progress = [done, total];
    };
    const drawn = (of: ChartChoice): Promise<Drawing> =>
      draw(source, of, this.t("missing"), told, stop.signal, isSorted(this.result));
    try {
      let drawing = await drawn(choice);
      if (turn !== this.#turn) return;
      const of = this.#chosen && this.choice;
      if (drawing.repeats && of && of !== this.#whole && choice.series === undefined) {
        const split = await this.#apart(choice, source, drawn);
        if (turn !== this.#turn) return;
        if (split) this.#split = { of, as: split.choice };
        drawing = split ?? drawing;
      }
      // What a person did not choose is to be seen: without bars, how the values are spread.
      const [x] = drawing.repeats && !this.#chosen ? choice.y : [];
      if (x !== undefined) {
        this.#instead = { kind: "histogram", x, y: [] };
        drawing = await drawn(this.#instead);
        if (turn !== this.#turn) return;
      }
      const near =
        this.#chosen || drawing.choice.series !== undefined
          ? drawing.choice.y
          : sameSize(drawing.choice.y, drawing.points);
      if (near.length < drawing.choice.y.length) {
        this.#instead = { ...drawing.choice, y: near };
        drawing = await drawn(this.#instead);
        if (turn !== this.#turn) return;
      }
      const { x: without, kind } = this.#fitting ?? {};
      const other = drawing.choice === this.#instead && drawing.choice.kind !== kind;
      if (other && without !== undefined)
        drawing.omitted.push({ code: "repeats", column: without });
      drawing.omitted.push(...this.#left(drawing.choice));
      drawing.together = areTogether(this.result);
      this.drawing = drawing;
      this.state = "drawn";
    } catch (error) {
      if (turn === this.#turn) this.failure = error;
    } finally {
      if (turn === this.#turn) this.progress = undefined;
    }
  }

  /** The drawing with the split that leaves each mark one row; none where no column does. */
  async #apart(
    choice: ChartChoice,
    source: RowSource,
    drawn: (of: ChartChoice) => Promise<Drawing>,
  ): Promise<Drawing | undefined> {
    const y = choice.y.slice(0, 1);
    for (const series of apartOf(choice, source.columns, this.result).slice(0, 4)) {
      const drawing = await drawn({ ...choice, y, series });
      // Of rows that are no groups a column with many values is no split: it names each of them.
      const many = !isGrouped(this.result) && drawing.omitted.some(({ code }) => code === "series");
      if (!drawing.repeats && !many) return drawing;
    }
    return undefined;
  }

  /** Columns that fit the result and are not drawn at first: another series, unit or size is. */
  #left({ y, series, kind }: ChartChoice): Omission[] {
    const { result } = this;
    if (this.choice || kind === "histogram" || !result || !("metadata" in result)) return [];
    const all = result.chart?.y ?? [];
    const left = all.filter((name) => !y.includes(name));
    const alike = sameUnit(result.columns, all);
    const units = left.filter((name) => !alike.includes(name));
    const told: Omission[] =
      series === undefined
        ? [
            { code: "units", columns: units },
            { code: "sizes", columns: left.filter((name) => alike.includes(name)) },
          ]
        : [{ code: "measures", columns: left }];
    return told.filter((one) => "columns" in one && one.columns.length > 0);
  }

  /** Draws, where the width or the look is another one than before. */
  #paint(): void {
    const place = this.renderRoot.querySelector<HTMLElement>(".drawing");
    const { drawing, source } = this;
    if (!place || !drawing || !source || drawing.repeats) return;
    const width = Math.floor(place.clientWidth);
    const look = this.#look(width);
    const wanted = JSON.stringify(look);
    if (width < 40 || wanted === this.#painted) return;
    this.#painted = wanted;
    this.#rendering = this.#rendering.then(async () => {
      if (this.drawing !== drawing || this.#painted !== wanted) return;
      try {
        const spec = specOf(drawing, this.#drawnHeads(source, drawing), this.#format, look);
        const drawn = await render(place, spec, this.language);
        this.#drawn?.close();
        this.#drawn = drawn;
        place.dataset.drawn = drawing.choice.kind;
        place.classList.toggle("flat", typeof spec.height === "object");
      } catch (error) {
        this.failure = error;
      }
    });
  }

  /** The page has other colours now: by its class, its `color-scheme`, the system's, its own tokens. */
  readonly #recolour = (): void => {
    this.#paint();
  };

  /** Colours as they are here and now. */
  #look(width: number): Look {
    const probe = this.renderRoot.querySelector(".probe");
    const colours = [...(probe?.children ?? [])].map((one) => getComputedStyle(one).color);
    const [ink = "#000", quiet = "#555", line = "#ddd", ground = "#fff", accent = "#07c"] = colours;
    const { fontFamily } = getComputedStyle(this);
    return { ink, quiet, line, ground, accent, font: fontFamily, dark: isDark(ground), width };
  }

  /** The columns as they are called in the language. */
  #heads({ columns }: RowSource): Head[] {
    const { result } = this;
    return headsOf(
      this.language,
      columns,
      result && "metadata" in result ? result.query : undefined,
    );
  }

  #drawnHeads(source: RowSource, drawing: Drawing): readonly Head[] {
    return drawnHeads(this.#heads(source), drawing, this.language);
  }

  #words(): string {
    const { drawing, source } = this;
    return drawing && source
      ? describe(drawing, this.#drawnHeads(source, drawing), this.#format)
      : "";
  }

  #pick(picked: ChartChoice | undefined): void {
    if (!picked) return;
    // Whoever chooses by hand asks for no pie any more.
    const choice = picked.pie === undefined ? picked : { ...picked };
    delete choice.pie;
    if (this.#whole === picked) this.#whole = choice;
    this.#picked = choice;
    this.choice = choice;
    this.tell("pinhole-chart", { choice });
  }

  async #save(kind: "svg" | "png"): Promise<void> {
    try {
      const { result } = this;
      const asked = fileName(this.asked ?? "");
      const name = this.name ?? (asked || (result && "metadata" in result ? result.id : "chart"));
      const file =
        kind === "png"
          ? await this.toPNG()
          : new Blob([await this.toSVG()], { type: "image/svg+xml" });
      giveFile(`${name}.${kind}`, file);
    } catch (error) {
      this.failure = error;
    }
  }

  protected override render(): unknown {
    const { source, failure } = this;
    const choice = this.#choice;
    return html`<div class="probe" aria-hidden="true" @transitionend=${this.#recolour}>
        <i class="ink"></i><i class="quiet"></i><i class="line"></i><i class="ground"></i
        ><i class="accent"></i>
      </div>
      ${source && choice ? this.#bar(this.#heads(source), choice) : nothing}
      ${
        failure === undefined
          ? nothing
          : errorCard(this.language, failureOf(failure), { actions: this.#retry() })
      }
      ${failure === undefined ? this.#state() : nothing}`;
  }

  #retry(): unknown {
    return html`<button type="button" @click=${() => this.#open()}>${this.t("again")}</button>`;
  }

  #state(): unknown {
    if (this.progress) return this.#reading(this.progress);
    if (this.state === "drawn" && this.drawing && this.source) {
      return this.#chart(this.drawing, this.#drawnHeads(this.source, this.drawing));
    }
    const { source } = this;
    const why = source && whyNone(source.columns, source.total);
    const said = why && why !== "none" ? (`chart_${why}` as const) : "chart_none";
    const [title, hint] = (
      {
        nothing: ["no_result", undefined],
        reading: ["chart_wait", undefined],
        none: [said, `${said}_hint`],
        drawn: ["chart_wait", undefined],
      } as const
    )[this.state];
    const awaited = this.state === "reading" || this.state === "drawn";
    return html`<div class="empty ${awaited ? "awaited" : ""}" data-testid=${this.state}>
      <strong>${this.t(title)}</strong>
      ${hint ? html`<span class="quiet small">${this.t(hint)}</span>` : nothing}
    </div>`;
  }

  #reading([done, total]: [number, number]): unknown {
    const label = this.t("chart_reading", {
      done: this.#format.count(done),
      total: this.#format.count(total),
    });
    return html`<div class="empty awaited" data-testid="reading">
      <progress max="1" .value=${done / total} aria-label=${label}></progress>
      <span class="quiet small">${label}</span>
      <button type="button" data-testid="cancel" @click=${() => this.#stop?.abort()}>
        ${this.t("cancel")}
      </button>
    </div>`;
  }

  #chart(drawing: Drawing, columns: readonly Head[]): unknown {
    if (drawing.repeats) {
      return html`<div class="empty" data-testid="repeats">
        <span>${this.t("chart_repeats", { x: titleOf(columns, drawing.choice.x) })}</span>
      </div>`;
    }
    const there = drawing.points.some(({ y }) => y !== null);
    if (!there) {
      return html`<div class="empty" data-testid="none">
        <strong>${this.t("chart_empty")}</strong>
        <span class="quiet small">${this.t("chart_empty_hint")}</span>
      </div>`;
    }
    const words = this.#words();
    return html`<figure part="figure">
      <div
        class="drawing"
        part="drawing"
        role="img"
        aria-label=${words}
        data-testid="drawing"
      ></div>
      <figcaption part="caption">
        <p data-testid="words">${words}</p>
        ${omissions(drawing, columns, this.#format).map(
          (one) => html`<p class="note" data-testid="note">${one}</p>`,
        )}
        ${this.#values(drawing, columns)}
      </figcaption>
    </figure>`;
  }

  /** The drawn values as a table. */
  #values(drawing: Drawing, columns: readonly Head[]): unknown {
    const { choice, points, series } = drawing;
    const many = series.length > 1;
    const histogram = choice.kind === "histogram";
    const y =
      choice.y.length === 1 || choice.series !== undefined
        ? titleOf(columns, choice.y[0] ?? "")
        : this.t("chart_value");
    const shown = points.slice(0, LISTED);
    const head = [
      titleOf(columns, choice.x),
      ...(many
        ? [choice.series === undefined ? this.t("chart_y") : titleOf(columns, choice.series)]
        : []),
      histogram ? this.t("count") : y,
    ];
    return html`<details>
      <summary data-testid="values">${this.t("values")}</summary>
      <div class="scroll" tabindex="0" role="group" aria-label=${this.t("values")}>
        <table data-testid="values-table">
          <thead>
            <tr>
              ${head.map(
                (name, i) =>
                  html`<th scope="col" class=${i === head.length - 1 ? "num" : ""}>${name}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (point) =>
                html`<tr>
                  <td>${placeOf(drawing, this.#format, point, columns)}</td>
                  ${
                    many
                      ? html`<td>${seriesText(columns, drawing, this.#format, point.series)}</td>`
                      : nothing
                  }
                  <td class="num">${amountText(drawing, columns, this.#format, point)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        points.length > shown.length
          ? html`<p class="quiet small">
              ${this.t("values_of", {
                shown: this.#format.count(shown.length),
                all: this.#format.count(points.length),
              })}
            </p>`
          : nothing
      }
    </details>`;
  }

  #bar(columns: readonly Head[], choice: ChartChoice): unknown {
    const kinds = KINDS.filter((kind) => turned(choice, kind, columns) !== undefined);
    const numbers = numericOf(columns);
    const drawn = this.drawing !== undefined && !this.drawing.repeats;
    return html`<div class="bar" part="toolbar">
      ${this.#select(
        "kind",
        this.t("chart_kind"),
        choice.kind,
        kinds.map((kind) => [kind, this.t(`kind_${kind}`)]),
        (kind) => {
          this.#pick(turned(choice, kind as ChartKind, columns));
        },
      )}
      ${this.#xSelect(columns, choice)}
      ${choice.kind === "histogram" ? nothing : this.#ySelect(columns, choice, numbers)}
      ${choice.kind === "histogram" ? nothing : this.#seriesSelect(columns, choice)}
      <span class="saves"
        >${(["svg", "png"] as const).map(
          (kind) =>
            html`<button
              type="button"
              data-testid="save-${kind}"
              aria-label=${this.t("download_as", { format: kind.toUpperCase() })}
              ?disabled=${!drawn}
              @click=${() => this.#save(kind)}
            >
              ${this.t(`save_${kind}`)}
            </button>`,
        )}</span
      >
    </div>`;
  }

  #xSelect(columns: readonly Head[], choice: ChartChoice): unknown {
    const axis = monthsOf(columns);
    const both = axis && named(columns, [axis.x, axis.years]).map(([, text]) => text);
    const months: [string, string][] = both ? [[MONTHS, both.join(", ")]] : [];
    const options = [...months, ...named(columns, alongOf(columns, choice))];
    const value = choice.years === undefined ? choice.x : MONTHS;
    return this.#select("x", this.t("chart_x"), value, options, (x) => {
      this.#pick(x === MONTHS ? alongMonths(choice, columns) : along(choice, x, columns));
    });
  }

  #ySelect(columns: readonly Head[], choice: ChartChoice, numbers: string[]): unknown {
    const names = numbers.filter((name) => name !== choice.x || choice.y.includes(name));
    // Those of the unit that is drawn now.
    const together = sameUnit(columns, [...choice.y.slice(0, 1), ...names]).slice(1);
    const value = choice.y.length > 1 ? ALL : (choice.y[0] ?? "");
    const all: [string, string][] =
      (choice.series === undefined && together.length > 1) || choice.y.length > 1
        ? [[ALL, this.t("all_values", { count: Math.max(together.length, choice.y.length) })]]
        : [];
    return this.#select("y", this.t("chart_y"), value, [...named(columns, names), ...all], (y) => {
      this.#pick({ ...choice, y: y === ALL ? together : [y] });
    });
  }

  #seriesSelect(columns: readonly Head[], choice: ChartChoice): unknown {
    const names = columns
      .map(({ name }) => name)
      .filter((name) => ![choice.x, choice.years, ...choice.y].includes(name));
    if (names.length === 0) return nothing;
    const options: [string, string][] = [["", this.t("none")], ...named(columns, names)];
    return this.#select(
      "series",
      this.t("chart_series"),
      choice.series ?? "",
      options,
      (series) => {
        const rest = { ...choice };
        delete rest.series;
        this.#whole = series === "" ? rest : undefined;
        this.#pick(this.#whole ?? { ...rest, y: choice.y.slice(0, 1), series });
      },
    );
  }

  #select(
    id: string,
    label: string,
    value: string,
    options: [value: string, text: string][],
    chosen: (value: string) => void,
  ): unknown {
    return html`<label class="small">
      <span class="quiet">${label}</span>
      <select
        data-testid=${id}
        @change=${(event: Event) => {
          chosen((event.target as HTMLSelectElement).value);
        }}
      >
        ${options.map(
          ([one, text]) => html`<option value=${one} .selected=${one === value}>${text}</option>`,
        )}
      </select>
    </label>`;
  }

  static override styles = [TOKENS, PART_STYLES, CHART];
}

/** Whether a colour is a dark one: `rgb(…)` as computed styles have it. */
function isDark(colour: string): boolean {
  const [r = 255, g = 255, b = 255] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}
