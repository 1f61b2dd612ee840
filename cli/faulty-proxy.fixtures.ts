import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';

/** What happens to a call. Undefined: the server behind the proxy answers it. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection breaks. */
  | 'cut'
  /** Nobody ever answers. */
  | 'hang'
  | undefined;

/** An error as our server sends it. */
export function errorFault(status: number, error: string, headers: Record<string, string> = {}): Fault {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error, code: 'unavailable', requestId: 'r' }),
  };
}

/**
 * A proxy before the real server, whose calls fail as a test asks for.
 * @param fault is called before each call, with its number from 1 and its path
 */
export async function openProxy(
  origin: string,
  fault: (call: number, path: string) => Fault | Promise<Fault>,
): Promise<{ url: string; calls: { path: string; size: number }[] }> {
  const calls: { path: string; size: number }[] = [];
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await buffer(request);
    calls.push({ path, size: body.length === 0 ? 0 : JSON.parse(body.toString()).domains.length });
    const happens = await fault(calls.length, path);
    if (happens === 'hang') return;
    if (happens === 'cut') {
      response.destroy();
      return;
    }
    if (happens !== undefined) {
      response.writeHead(happens.status, happens.headers).end(happens.body);
      return;
    }
    const answer = await fetch(origin + path, {
      method: request.method ?? 'GET',
      headers: { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-encoding': 'identity' });
    response.end(text);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
