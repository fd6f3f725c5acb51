// Stands for the package `vega` when the charts are bundled: the transforms that bars, lines and
// histograms need, and no others.

import { transforms } from "vega-dataflow";
import * as encode from "vega-encode";
import * as basic from "vega-transforms";
import * as views from "vega-view-transforms";

Object.assign(transforms, basic, views, encode);

export { parse } from "vega-parser";
// What Vega-Lite takes from it.
export * from "vega-util";
export { View } from "vega-view";
