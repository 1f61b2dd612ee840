import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  deliveriesPageSize,
  listDeliveries,
  listWebhooks,
  type Webhook,
  type WebhookDelivery,
} from '#shared/accounts/webhooks.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

const webhooksKey = ['webhooks'];
/** How often deliveries that are not finished are requested. */
const pollIntervalMs = 3000;

export const webhooksQuery = queryOptions({
  queryKey: [...webhooksKey, 'list'],
  queryFn: async ({ signal }) => (await call(listWebhooks, { signal })).webhooks,
  staleTime: 0,
});

/** A page of deliveries, from 0. */
export const deliveriesQuery = (id: number, page: number) =>
  endpointQuery([...webhooksKey, id, page], listDeliveries, {
    params: { id },
    query: { page, pageSize: deliveriesPageSize },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isPending) ? pollIntervalMs : false),
  });

const isPending = ({ status }: WebhookDelivery) => status === 'pending';

/** Reloads the webhooks and their deliveries. */
export const refreshWebhooks = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: webhooksKey });

/** A short name of a webhook for messages and labels: the host of its URL. */
export const nameOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;
