// QuickJS as a WebAssembly module; the build puts the package's own file into this folder.

export default function load(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): object;
}): Promise<{ type?: string }>;
