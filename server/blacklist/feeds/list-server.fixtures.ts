import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import type { TestApp } from '../../test-app.fixtures.ts';

export interface ListServer {
  /** Address of a path. */
  url(path: string): string;
  /** Sets the response for a path: a text with an ETag, or a listener. */
  serve(path: string, content: string | Buffer | RequestListener): void;
  /** The requests so far. */
  requests: IncomingMessage[];
}

/**
 * Starts an HTTP server of lists, which answers conditional requests as servers do. It is closed after the tests of a
 * file.
 */
export async function startListServer(): Promise<ListServer> {
  const contents = new Map<string, string | Buffer | RequestListener>();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const content = contents.get(decodeURI(request.url ?? ''));
    if (content === undefined) response.writeHead(404).end('Not found');
    else if (typeof content === 'function') content(request, response);
    else sendList(request, response, content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    url: (path) => origin + path,
    serve: (path, content) => void contents.set(path, content),
    requests,
  };
}

function sendList(request: IncomingMessage, response: ServerResponse, content: string | Buffer): void {
  const etag = `"${createHash('sha1').update(content).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, 'content-type': 'text/plain; charset=utf-8' }).end(content);
}

/** Returns functions that add and refresh feeds through the API, as the admin with the cookie `as`. */
export function buildFeedCalls({ call }: TestApp, as: string) {
  const createFeed = async (body: object): Promise<Feed> => {
    const response = await call('POST', '/api/admin/feeds', { as, body });
    if (response.statusCode !== 201) throw new Error(response.body);
    return response.json();
  };
  const listRuns = async (id: number): Promise<FeedRun[]> =>
    (await call('GET', `/api/admin/feeds/${id}/runs`, { as })).json();
  return {
    createFeed,
    listRuns,
    /** Starts a refresh. @returns the id of the run */
    async startRefresh(id: number): Promise<number> {
      return (await call('POST', `/api/admin/feeds/${id}/refresh`, { as })).json().runId;
    },
    async getFeed(id: number): Promise<Feed> {
      const feeds: Feed[] = (await call('GET', '/api/admin/feeds', { as })).json();
      const feed = feeds.find((one) => one.id === id);
      if (!feed) throw new Error(`There is no feed ${id}.`);
      return feed;
    },
  };
}
