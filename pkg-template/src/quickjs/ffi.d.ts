// The calls into QuickJS; the build puts the package's own file into this folder.

export declare const QuickJSFFI: new (module: object) => object;
