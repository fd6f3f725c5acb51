// Types of the generated glue for the sources beside it; the build puts pinhole.js there.
import type { GlueSession, GlueTasks, SessionOptions } from "./glue.js";

export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
export const Session: new (options: SessionOptions) => GlueSession;
export const tasks: GlueTasks;
