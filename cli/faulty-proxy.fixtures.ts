import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';

/** How a call fails. Undefined: it is forwarded to the server behind the proxy. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection breaks. */
  | 'cut'
  /** The call never gets a response. */
  | 'hang'
  | undefined;

/** Builds an error response in the format of the real server. */
export function buildErrorFault(status: number, error: string, headers: Record<string, string> = {}): Fault {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error, code: 'unavailable', requestId: 'r' }),
  };
}

/**
 * Starts a proxy in front of the real server.
 * @param fault called before each call with its number, from 1, and its path; returns how the call fails
 */
export async function startProxy(
  origin: string,
  fault: (call: number, path: string) => Fault | Promise<Fault>,
): Promise<{ url: string; calls: { path: string; size: number }[] }> {
  const calls: { path: string; size: number }[] = [];
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await buffer(request);
    calls.push({ path, size: body.length === 0 ? 0 : JSON.parse(body.toString()).domains.length });
    const callFault = await fault(calls.length, path);
    if (callFault === 'hang') return;
    if (callFault === 'cut') {
      response.destroy();
      return;
    }
    if (callFault !== undefined) {
      response.writeHead(callFault.status, callFault.headers).end(callFault.body);
      return;
    }
    const forwarded = await fetch(origin + path, {
      method: request.method ?? 'GET',
      headers: { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' },
      ...(body.length > 0 && { body }),
    });
    const text = await forwarded.text();
    response.writeHead(forwarded.status, { ...Object.fromEntries(forwarded.headers), 'content-encoding': 'identity' });
    response.end(text);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
