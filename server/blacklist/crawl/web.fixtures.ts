import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type DnsRecords, startDnsServer } from '../../platform/net/dns-server.fixtures.ts';
import { createOutbound } from '../../platform/net/outbound.ts';

/** A page: its HTML, or a function that responds. */
export type WebPage = string | ((response: ServerResponse, request: IncomingMessage) => unknown);

export interface WebVisit {
  host: string;
  path: string;
  at: number;
  userAgent: string | undefined;
}

/**
 * Starts a web on one port of this machine, with a name server for its hosts. It stops after the tests of the file.
 * @param sites the pages of each host by path. `addresses` can send a host to another address.
 */
export async function startWeb(sites: Record<string, Record<string, WebPage>>, addresses: Record<string, string> = {}) {
  const visits: WebVisit[] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const path = request.url ?? '/';
    visits.push({ host, path, at: performance.now(), userAgent: request.headers['user-agent'] });
    const page = sites[host]?.[path];
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('not found');
    else if (typeof page === 'function') page(response, request);
    else {
      const type = path.endsWith('.txt') ? 'text/plain' : 'text/html';
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(page);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const a: NonNullable<DnsRecords['a']> = {
    ...Object.fromEntries(Object.keys(sites).map((host) => [host, ['127.0.0.1']])),
    ...Object.fromEntries(Object.entries(addresses).map(([host, address]) => [host, [address]])),
  };
  const txt: Record<string, readonly string[]> = {};
  const dnsServer = await startDnsServer({ a, txt });
  return {
    port,
    dnsServer,
    /** TXT records, which can be added. */
    txt,
    /** All requests, in their order. */
    visits,
    /** An address without its port is that of a page of this web. */
    at: (address: string) => `http://${address.replace('/', `:${port}/`)}`,
    /** Reaches this web and no other private address. */
    outbound: createOutbound({
      allowPrivate: false,
      userAgent: 'unused',
      dnsServers: [dnsServer],
      isPublic: (address) => address === '127.0.0.1',
    }),
  };
}
