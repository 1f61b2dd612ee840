import { once } from 'node:events';
import { createServer } from 'node:http';

/** A list on a local server, for feeds. */
export interface ServedList {
  url: string;
  /** Replaces the content. */
  change(names: readonly string[]): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a list with one name per line on a free port. */
export async function startListServer(names: readonly string[]): Promise<ServedList> {
  let body = names.join('\n');
  const server = createServer((_, response) => response.setHeader('content-type', 'text/plain').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/list.txt`,
    change: (next) => {
      body = next.join('\n');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
