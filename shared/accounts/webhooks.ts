import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';

/** What a webhook can subscribe to. Only admins get events of feeds. */
export const webhookEvents = ['alert.created', 'report.completed', 'feed.failed', 'feed.review'] as const;
export const WebhookEventType = z.enum(webhookEvents);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

export const isAdminEvent = (event: string): boolean => event.startsWith('feed.');

/** The type of the event that the test button sends. */
export const testEventType = 'webhook.test';

/** `chat`: a body that incoming webhooks of Slack and Discord accept. */
const webhookFormats = ['standard', 'chat'] as const;
export const WebhookFormat = z.enum(webhookFormats);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

/** After a rotation, events are signed with the earlier secret too for this many hours. */
export const oldSecretHours = 24;

/** How many days deliveries are listed. */
export const deliveryDays = 30;

/** `pending`: not sent yet, or waiting for the next attempt. `failed`: no further attempt is planned. */
const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export const DeliveryStatus = z.enum(deliveryStatuses);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Webhook = z.object({
  id: z.number(),
  url: z.string(),
  events: z.array(WebhookEventType),
  format: WebhookFormat,
  active: z.boolean(),
  /** Why Linksieve disabled it, as a sentence. Null if it is active or its owner paused it. */
  disabledReason: z.nullable(z.string()),
  createdAt: z.string(),
  /** Until when events are also signed with the secret before the last rotation. */
  oldSecretUntil: z.nullable(z.string()),
  lastDelivery: z.nullable(z.object({ status: DeliveryStatus, createdAt: z.string() })),
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookDelivery = z.object({
  id: z.number(),
  /** The header `webhook-id`, the same in each attempt. */
  eventId: z.string(),
  type: z.string(),
  status: DeliveryStatus,
  attempts: z.number(),
  /** The status of the last response; null without one. */
  responseStatus: z.nullable(z.number()),
  /** Why the last attempt failed, as a sentence. */
  error: z.nullable(z.string()),
  createdAt: z.string(),
  nextAttemptAt: z.nullable(z.string()),
  lastAttemptAt: z.nullable(z.string()),
  /** The body of the request. */
  payload: z.record(z.string(), z.unknown()),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const urlMessage = 'Please enter a URL that starts with https://';

const Events = z.array(WebhookEventType).check(
  z.minLength(1, 'Select at least one event'),
  z.refine((events) => new Set(events).size === events.length, 'An event is selected twice'),
);

export const WebhookInput = z.object({
  url: z
    .url({ protocol: /^https?$/, error: urlMessage })
    .check(z.maxLength(2000, 'A URL can have up to 2,000 characters')),
  events: Events,
  format: z.optional(WebhookFormat),
});
export type WebhookInput = z.infer<typeof WebhookInput>;

const Secret = z.string();

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  access: 'user',
  summary: 'List my webhooks, oldest first',
  responses: { 200: z.object({ webhooks: z.array(Webhook) }) },
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'user',
  summary: 'Add a webhook. Only this response contains its secret',
  needsProof: true,
  body: WebhookInput,
  responses: { 201: z.extend(Webhook, { secret: Secret }) },
});

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  access: 'user',
  summary: 'Change the events of one of my webhooks, pause it or enable it again',
  params: idParams,
  body: z.object({ events: z.optional(Events), active: z.optional(z.boolean()) }),
  responses: { 200: Webhook },
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'user',
  summary: 'Delete one of my webhooks and its deliveries',
  params: idParams,
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  access: 'user',
  summary: `Replace the secret of one of my webhooks. The earlier one also works for ${oldSecretHours} hours`,
  needsProof: true,
  params: idParams,
  responses: { 200: z.object({ secret: Secret }) },
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  access: 'user',
  summary: 'Send a test event to one of my webhooks and wait for the response',
  params: idParams,
  responses: { 200: WebhookDelivery },
});

export const deliveriesPageSize = 20;

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  access: 'user',
  summary: `List the deliveries of one of my webhooks in the last ${deliveryDays} days, newest first`,
  params: idParams,
  query: z.object({ page: pageNumber, pageSize: pageSize(deliveriesPageSize) }),
  responses: { 200: z.object({ deliveries: z.array(WebhookDelivery), pagination: Pagination }) },
});

export const replayDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:deliveryId/replay',
  access: 'user',
  summary: 'Send a delivery again and wait for the response',
  params: z.extend(idParams, { deliveryId: rowId(Number.MAX_SAFE_INTEGER) }),
  responses: { 200: WebhookDelivery },
});
