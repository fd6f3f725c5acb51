// The little of Node that the proxy needs, so that nothing else sees Node's types.

declare module "node:http" {
  export interface IncomingMessage extends AsyncIterable<Uint8Array> {
    method?: string;
    url?: string;
    headers: Record<string, string | undefined>;
    socket: { remoteAddress?: string };
    resume(): void;
  }
  export interface ServerResponse {
    headersSent: boolean;
    destroyed: boolean;
    writableEnded: boolean;
    writeHead(status: number, headers: Record<string, string | number>): void;
    write(chunk: Uint8Array): boolean;
    end(chunk?: Uint8Array | string): void;
    destroy(): void;
    flushHeaders(): void;
    on(event: "close", run: () => void): void;
    once(event: "drain" | "close", run: () => void): void;
  }
  export interface Server {
    requestTimeout: number;
    listen(port: number, host: string, done: () => void): void;
    once(event: "error", run: (error: Error) => void): void;
    address(): { port: number } | null;
    close(done: () => void): void;
    closeAllConnections(): void;
  }
  export function createServer(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
  ): Server;
}

declare module "node:process" {
  const process: {
    argv: string[];
    env: Record<string, string | undefined>;
    exitCode: number | undefined;
    on(event: "SIGINT" | "SIGTERM", run: () => void): void;
  };
  export default process;
}

declare module "node:util" {
  export function parseArgs(config: {
    args: string[];
    allowPositionals: true;
    options: Record<string, { type: "string" | "boolean"; multiple?: boolean }>;
  }): { values: Record<string, string | boolean | string[] | undefined>; positionals: string[] };
}
