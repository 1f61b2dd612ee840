import { defineContentScript } from 'wxt/utils/define-content-script';
import type { Listing } from '../../lookup/lookup.ts';
import { addMark, isMark } from '../marks.ts';
import { requestLookUp } from '../messages.ts';
import { findResults, searchPatterns } from '../search-engines.ts';
import { readSettings } from '../settings.ts';

/** Results that load while the user scrolls are looked up together. */
const delayMs = 250;
/** After a failed check. */
const retryMs = 30_000;

/** Marks the results of search engines that come from listed domains. */
export default defineContentScript({
  matches: searchPatterns,
  runAt: 'document_idle',
  async main(context) {
    const settings = await readSettings();
    if (settings.origin === null || !settings.marksResults) return;
    let hasChanged = true;
    let isRunning = false;
    const run = async () => {
      if (isRunning) return;
      isRunning = true;
      while (hasChanged && context.isValid) {
        hasChanged = false;
        const isMarked = await markResults();
        hasChanged ||= !isMarked;
        await new Promise<void>((resolve) => context.setTimeout(resolve, isMarked ? delayMs : retryMs));
      }
      isRunning = false;
    };
    const observer = new MutationObserver((changes) => {
      if (changes.every(({ addedNodes }) => [...addedNodes].every(isMark))) return;
      hasChanged = true;
      void run();
    });
    context.onInvalidated(() => observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    await run();
  },
});

/** The hosts that were looked up on this page, with the listings of those that are listed. */
const known = new Map<string, Listing | undefined>();
let origin = '';

/** @returns false if the check failed. The popup shows why: a page full of errors would help nobody */
async function markResults(): Promise<boolean> {
  const results = findResults(document);
  const all = [...new Set(results.map(({ host }) => host))];
  const hosts = all.filter((host) => !known.has(host));
  if (hosts.length > 0) {
    const listedBefore = all.filter((host) => known.get(host) !== undefined).length;
    // While the extension is updated, nobody answers.
    const reply = await requestLookUp({ hosts, listedBefore }).catch(() => undefined);
    if (!reply || 'error' in reply) return false;
    for (const host of hosts) known.set(host, reply.listings[host]);
    origin = reply.origin;
  }
  for (const { host, title } of results) {
    const listing = known.get(host);
    if (listing) addMark(title, listing, origin);
  }
  return true;
}
