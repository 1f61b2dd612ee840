import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll } from 'vitest';
import type { Webhook, WebhookInput } from '#shared/accounts/webhooks.ts';
import type { TestApp } from '../../test-app.fixtures.ts';
import type { WebhookEvent } from './events.ts';
import { queueWebhookEvents } from './webhooks.ts';

export interface ReceivedRequest {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

type Respond = (response: ServerResponse) => void;

/** Starts a server that receives the events of webhooks. It is closed after the tests of a file. */
export async function startReceiver() {
  const requests = new Map<string, ReceivedRequest[]>();
  const responses = new Map<string, Respond>();
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const received = requests.get(url) ?? [];
    requests.set(url, received);
    received.push({ method, headers, body: await text(request) });
    const respond = responses.get(url);
    if (respond) respond(response);
    else response.end('thanks');
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
  let paths = 0;
  return {
    /** Adds a path. */
    open() {
      paths += 1;
      const path = `/hook-${paths}`;
      return {
        url: origin + path,
        /** The requests so far. */
        requests: () => requests.get(path) ?? [],
        /** Sets the response to later requests: a status with headers, or a function. 200 by default. */
        respond(response: number | Respond, headers: Record<string, string> = {}) {
          responses.set(
            path,
            typeof response === 'number' ? (reply) => reply.writeHead(response, headers).end('answer') : response,
          );
        },
      };
    },
  };
}

/** Verifies a request as a receiver does. @returns its body @throws if no signature matches */
export const verify = (secret: string, { body, headers }: ReceivedRequest) =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

/** Builds an event of the user's report with this id. */
export const buildEvent = (userId: number, reportId = 1): WebhookEvent => ({
  type: 'report.completed',
  userId,
  data: {
    reportId,
    profileId: 2,
    website: 'shop.example',
    totalBacklinks: 300,
    uniqueDomains: 40,
    toxicDomains: 4,
    toxicityPercentage: 10,
    toxicityRating: 'high',
    url: `/reports/${reportId}`,
  },
});

/** Returns functions that add webhooks through the API, and queue events for them. */
export function buildWebhookCalls(
  { call, context, signUp }: TestApp,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
) {
  const addWebhook = async (as: string, input: Partial<WebhookInput> = {}) => {
    const path = receiver.open();
    const body = { url: path.url, events: ['report.completed'], ...input };
    const response = await call('POST', '/api/webhooks', { as, body });
    if (response.statusCode !== 201) throw new Error(response.body);
    const { id, secret }: Webhook & { secret: string } = response.json();
    return {
      ...path,
      id,
      secret,
      /** The webhook as its owner sees it. */
      async read(): Promise<Webhook> {
        const { webhooks } = (await call('GET', '/api/webhooks', { as })).json();
        return webhooks.find((one: Webhook) => one.id === id);
      },
      /** Its deliveries, oldest first. */
      async deliveries() {
        const list = await call('GET', `/api/webhooks/${id}/deliveries?pageSize=100`, { as });
        return list.json().deliveries.toReversed();
      },
    };
  };
  return {
    addWebhook,
    /** Signs up a user with one webhook. */
    async createWebhook(input: Partial<WebhookInput> = {}, options: { admin?: boolean } = {}) {
      const user = await signUp(options);
      return { user, as: user.cookie, ...(await addWebhook(user.cookie, input)) };
    },
    /** Queues one event of a report, or several. */
    queue: (userId: number, count = 1) =>
      queueWebhookEvents(
        context.db,
        Array.from({ length: count }, (_, i) => buildEvent(userId, i + 1)),
        context.now(),
      ),
  };
}
