// The part of Vega and Vega-Lite that is used here.

type Json = Record<string, unknown>;

export interface Logger {
  level(): Logger;
  error(): Logger;
  warn(): Logger;
  info(): Logger;
  debug(): Logger;
}

export declare function compile(spec: Json, options: { logger: Logger }): { spec: Json };

export declare function parse(spec: Json, config: Json, options: { ast: boolean }): object;

export declare const expressionInterpreter: object;

export declare class View {
  constructor(
    runtime: object,
    options: {
      container?: HTMLElement;
      renderer: "svg" | "none";
      loader: object;
      logger: Logger;
      locale: object;
      expr: object;
    },
  );
  runAsync(): Promise<this>;
  toSVG(): Promise<string>;
  toCanvas(scale: number): Promise<HTMLCanvasElement>;
  finalize(): this;
}
