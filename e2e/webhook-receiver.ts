import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** A local server that receives the events of webhooks. */
export interface WebhookReceiver {
  url: string;
  requests: { headers: IncomingHttpHeaders; body: string }[];
  /** Sets the status of later responses. 200 by default. */
  respond(status: number): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a receiver on a free port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: WebhookReceiver['requests'] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/events`,
    requests,
    respond: (next) => {
      status = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
