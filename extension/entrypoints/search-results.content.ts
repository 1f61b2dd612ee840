import { defineContentScript } from 'wxt/utils/define-content-script';
import type { Listing } from '../../lookup/lookup.ts';
import { addMark, isMark } from '../marks.ts';
import { requestLookUp } from '../messages.ts';
import { findResults, searchPatterns } from '../search-engines.ts';
import { readSettings } from '../settings.ts';

/** Results that load while the user scrolls are looked up together. */
const delayMs = 250;

/** Marks the results of search engines that come from listed domains. */
export default defineContentScript({
  matches: searchPatterns,
  runAt: 'document_idle',
  async main(context) {
    const settings = await readSettings();
    if (settings.origin === null || !settings.marksResults) return;
    let isScheduled = false;
    const schedule = () => {
      if (isScheduled) return;
      isScheduled = true;
      context.setTimeout(() => {
        isScheduled = false;
        void markResults();
      }, delayMs);
    };
    const observer = new MutationObserver((changes) => {
      const isOwn = changes.every(({ addedNodes }) => [...addedNodes].every(isMark));
      if (!isOwn) schedule();
    });
    context.onInvalidated(() => observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    await markResults();
  },
});

/** The hosts that were looked up on this page, with the listings of those that are listed. */
const known = new Map<string, Listing | undefined>();
let origin = '';

async function markResults(): Promise<void> {
  const results = findResults(document);
  const hosts = [...new Set(results.map(({ host }) => host))].filter((host) => !known.has(host));
  if (hosts.length > 0) {
    const listedBefore = [...known.values()].filter((listing) => listing !== undefined).length;
    const reply = await requestLookUp({ hosts, listedBefore });
    // The popup shows the error. A page full of errors would help nobody.
    if ('error' in reply) return;
    for (const host of hosts) known.set(host, reply.listings[host]);
    origin = reply.origin;
  }
  for (const { host, title } of results) {
    const listing = known.get(host);
    if (listing) addMark(title, listing, origin);
  }
}
