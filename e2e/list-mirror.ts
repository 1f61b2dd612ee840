import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** The number of made-up domains in each list. */
export const domainsPerList = 4000;

/** Starts a server with a list of made-up domains at every path, as a mirror of the catalogue's lists. */
export async function startListMirror() {
  const failing = new Set<string>();
  const waiting = new Set<() => void>();
  let isHolding = false;
  const respond = (path: string, response: ServerResponse) => {
    if (failing.has(path)) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'text/plain' }).end(buildList(path));
  };
  const server = createServer(({ url = '/' }, response) => {
    if (isHolding) waiting.add(() => respond(url, response));
    else respond(url, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    /** Holds the responses until `release`. */
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const send of waiting) send();
      waiting.clear();
    },
    /** The number of held responses. */
    countWaiting: () => waiting.size,
    /** Makes the list fail with 503, or work again. */
    setFailing(path: string, isFailing: boolean) {
      if (isFailing) failing.add(path);
      else failing.delete(path);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A list in plain format. No two lists have a domain in common. */
function buildList(path: string): string {
  const word = Buffer.from(path)
    .reduce((hash, byte) => (hash * 31 + byte) % 2_147_483_647, 7)
    .toString(36);
  return Array.from({ length: domainsPerList }, (_, index) => `paid-${word}-${index}.com\n`).join('');
}
