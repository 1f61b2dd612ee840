import * as z from 'zod/mini';
import { Check } from '#shared/checks.ts';
import type { BulkAnswer } from '#shared/key-checks.ts';

/** What is known about one domain of the file. */
export const Verdict = z.extend(Check, {
  /** Null where the server says that it is no domain. */
  listed: z.nullable(z.boolean()),
  checkedAt: z.nullable(z.string()),
  /** The server's sentence about what is no domain. */
  error: z.nullable(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;

/** The verdict about a host, under the name that was asked. */
export function verdictOf(host: string, result: BulkAnswer['results'][number]): Verdict {
  if ('error' in result) return { ...nothingKnown, domain: host, error: oneLine(result.error) };
  return { ...result, domain: host, niche: result.niche === null ? null : oneLine(result.niche), error: null };
}

/** A text of the server without line ends, so that a verdict is one line of a file, and without what steers a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

const nothingKnown = {
  listed: null,
  matchedDomain: null,
  riskLevel: null,
  sourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
  checkedAt: null,
} as const;
