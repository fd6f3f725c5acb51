// What is used of Vega and Vega-Lite, in a file of its own that is fetched with the first chart.

export { View, parse } from "vega";
export { expressionInterpreter } from "vega-interpreter";
export { compile } from "vega-lite";
