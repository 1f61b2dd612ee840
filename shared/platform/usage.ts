import * as z from 'zod/mini';

/** The most saved views and webhooks of an account. */
export const maxSavedViews = 50;
export const maxWebhooks = 10;

/** The kinds of things that an account stores, in display order, with their names in texts. */
export const usageKinds = {
  websites: { one: 'website', many: 'websites' },
  reports: { one: 'report', many: 'reports' },
  watches: { one: 'watched website', many: 'watched websites' },
  decisions: { one: 'decision', many: 'decisions' },
  'disavow-files': { one: 'disavow file', many: 'disavow files' },
  lists: { one: 'checked list', many: 'checked lists' },
  views: { one: 'saved view', many: 'saved views' },
  webhooks: { one: 'webhook', many: 'webhooks' },
  messages: { one: 'message', many: 'messages' },
  submissions: { one: 'submission', many: 'submissions' },
  appeals: { one: 'appeal', many: 'appeals' },
  analyses: { one: 'analysis', many: 'analyses' },
  uploads: { one: 'unfinished upload', many: 'unfinished uploads' },
  sessions: { one: 'session', many: 'sessions' },
} as const;
export type UsageKind = keyof typeof usageKinds;

/** What an account uses. */
export const Usage = z.object({
  usedBytes: z.number(),
  /** Null without a limit. */
  limitBytes: z.nullable(z.number()),
  /** Only the kinds with a count above zero. */
  kinds: z.array(
    z.object({
      kind: z.enum(Object.keys(usageKinds) as [UsageKind, ...UsageKind[]]),
      count: z.number(),
      bytes: z.number(),
      /** The largest permitted count. Null without a limit. */
      limit: z.nullable(z.number()),
    }),
  ),
});
export type Usage = z.infer<typeof Usage>;
