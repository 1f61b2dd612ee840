import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { getRange, getRangeInfo, type Range, RangeInfo } from '#shared/checks/range.ts';
import type { Endpoint } from '#shared/platform/endpoint.ts';
import { readSettings } from './settings.ts';

/** An error whose message is for the user. */
export class InstallationError extends Error {}

const tooMany = 'Too many checks in the last minute. Wait a moment and try again.';

/**
 * Returns the address of an installation from what a person typed or pasted, without its path.
 * @throws InstallationError
 */
export function parseOrigin(text: string): string {
  const trimmed = text.trim();
  const scheme = /^(localhost|127\.|\[::1\])/i.test(trimmed) ? 'http' : 'https';
  const url = URL.parse(trimmed.includes('://') ? trimmed : `${scheme}://${trimmed}`);
  if (url && /^https?:$/.test(url.protocol) && (url.hostname.includes('.') || /^(localhost|\[)/.test(url.hostname))) {
    return url.origin;
  }
  throw new InstallationError('Enter the address of your Linksieve, such as https://linksieve.example.');
}

/** Reads the description of an installation's ranges. @throws InstallationError if it is not one */
export function readRangeInfo(origin: string): Promise<RangeInfo> {
  return request(origin, getRangeInfo, getRangeInfo.path);
}

/**
 * Stores how many digits to send, so that not every check needs to ask. Called when the address changes, and regularly.
 */
export async function refreshRangeInfo(): Promise<void> {
  const { origin } = await readSettings();
  if (origin !== null) await readAndStoreRangeInfo(origin);
}

const StoredInfo = z.extend(RangeInfo, { origin: z.string() });

/** Returns the stored description of an installation, or reads it. @throws InstallationError */
export async function getStoredRangeInfo(origin: string): Promise<RangeInfo> {
  const { rangeInfo } = await browser.storage.local.get('rangeInfo');
  const { data } = z.safeParse(StoredInfo, rangeInfo);
  return data?.origin === origin ? data : readAndStoreRangeInfo(origin);
}

async function readAndStoreRangeInfo(origin: string): Promise<RangeInfo> {
  const info = await readRangeInfo(origin);
  await browser.storage.local.set({ rangeInfo: { origin, ...info } });
  return info;
}

/** Reads the listed hashes that start with a prefix. @throws InstallationError */
export function readRange(origin: string, prefix: string): Promise<Range> {
  return request(origin, getRange, getRange.path.replace(':prefix', prefix));
}

/** Requests a path that needs no key. No cookie and no address of a page is sent. */
async function request<E extends Endpoint & { responses: { 200: z.ZodMiniType } }>(
  origin: string,
  { responses }: E,
  path: string,
): Promise<z.output<E['responses'][200]>> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(origin + path, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    body = await response.json().catch(() => undefined);
  } catch {
    throw new InstallationError(`${new URL(origin).host} cannot be reached. Check its address and your connection.`);
  }
  if (response.status === 429) throw new InstallationError(tooMany);
  if (response.status >= 500) {
    throw new InstallationError(`${new URL(origin).host} is not available right now. Try again in a moment.`);
  }
  const { success, data } = z.safeParse(responses[200] as E['responses'][200], body);
  if (response.ok && success) return data;
  throw new InstallationError(`There is no Linksieve with private checks at ${origin}. Check the address.`);
}
