import { defineContentScript } from 'wxt/utils/define-content-script';
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
    const { origin, marksResults } = await readSettings();
    if (origin === null || !marksResults) return;
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

async function markResults(): Promise<void> {
  const results = findResults(document);
  if (results.length === 0) return;
  const reply = await requestLookUp({ hosts: [...new Set(results.map(({ host }) => host))], countOnToolbar: true });
  // The popup shows the error. A page full of errors would help nobody.
  if ('error' in reply) return;
  for (const { host, title } of results) {
    const listing = reply.listings[host];
    if (listing) addMark(title, listing, reply.origin);
  }
}
