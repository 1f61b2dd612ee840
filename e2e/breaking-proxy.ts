import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Slow enough for the browser to report progress. */
const bytesPerSecond = 4_000_000;
/** How long the proxy accepts no connection after it has broken one. */
const outageMs = 3000;

/**
 * A TCP proxy in front of the server of the tests, with the speed of a good network. It breaks the first connection
 * that has sent `breakAfterBytes`.
 */
export async function startBreakingProxy(serverPort: number, breakAfterBytes: number) {
  let brokenAt: number | undefined;

  /** Passes on what the browser sends, until the connection is to be broken. */
  async function send(browser: Socket, server: Socket): Promise<void> {
    let bytes = 0;
    for await (const chunk of browser as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (!server.write(chunk)) await once(server, 'drain');
      if (brokenAt === undefined && bytes >= breakAfterBytes) {
        // Before the socket closes, because the browser may connect again at once.
        brokenAt = performance.now();
        return;
      }
      await wait((chunk.length / bytesPerSecond) * 1000);
    }
  }

  const proxy = createServer((browser) => {
    if (brokenAt !== undefined && performance.now() - brokenAt < outageMs) {
      browser.destroy();
      return;
    }
    const server = connect(serverPort, 'localhost');
    const end = () => {
      browser.destroy();
      server.destroy();
    };
    for (const socket of [browser, server]) socket.on('error', end).on('close', end);
    server.pipe(browser);
    // It throws if one of them ends while it is used.
    send(browser, server).then(end, end);
  });
  proxy.listen(0, 'localhost');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, close: () => proxy.close() };
}
