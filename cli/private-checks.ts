import { getRange, getRangeInfo } from '#shared/checks/range.ts';
import { type Listing, lookUp } from '../lookup/lookup.ts';
import { type Api, callApi, type RetryOptions, unknownVerdict, type Verdict, withRetry } from './api.ts';

/** Few enough that a stopped run loses little, many enough that their prefixes hide among each other. */
const batchSize = 50;

/**
 * Checks hosts in order without sending them, and yields the verdicts of each batch.
 * @param prefixLength the digits of a hash to send
 */
export async function* checkHostsPrivately(
  api: Api,
  hosts: readonly string[],
  prefixLength: number,
  retry: RetryOptions,
): AsyncGenerator<Verdict[]> {
  const readRange = async (prefix: string) =>
    (await withRetry(() => callApi(api, getRange, { params: { prefix } }), retry)).body;
  const salt = crypto.randomUUID();
  for (let at = 0; at < hosts.length; at += batchSize) {
    const batch = hosts.slice(at, at + batchSize);
    const listings = await lookUp(batch, { prefixLength, salt, readRange });
    const checkedAt = new Date().toISOString();
    yield batch.map((domain) => toVerdict(domain, listings.get(domain), checkedAt));
  }
}

function toVerdict(domain: string, listing: Listing | undefined, checkedAt: string): Verdict {
  if (!listing) return { ...unknownVerdict, domain, listed: false, checkedAt, error: null };
  const { domain: matchedDomain, ...facts } = listing;
  return { ...unknownVerdict, ...facts, domain, listed: true, matchedDomain, checkedAt, error: null };
}

/** Reads how many digits of a hash to send. */
export async function readPrefixLength(api: Api, retry: RetryOptions): Promise<number> {
  return (await withRetry(() => callApi(api, getRangeInfo), retry)).body.prefixLength;
}
