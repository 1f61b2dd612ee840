import * as z from 'zod/mini';
import { AlertEvent } from '#shared/reports/watch.ts';
import { positiveInt } from '../../platform/search-values.ts';

/** The URL parameters of the screen of alerts. Invalid values become undefined. */
export const alertsSearch = z.object({
  /** The id of a website. */
  website: positiveInt,
  event: z.catch(z.optional(AlertEvent), undefined),
  unread: z.catch(z.optional(z.literal('true')), undefined),
  /** From 1. */
  page: positiveInt,
});
export type AlertsSearch = z.infer<typeof alertsSearch>;

/** The parameters that show all alerts. */
export const noFilter = { website: undefined, event: undefined, unread: undefined } satisfies Partial<AlertsSearch>;

export const isFiltered = ({ website, event, unread }: AlertsSearch) => Boolean(website ?? event ?? unread);
