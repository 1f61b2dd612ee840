import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { addMark } from '../marks.ts';
import type { PageMessage } from '../messages.ts';
import { collectContent, findPlaces } from '../page-content.ts';
import { describeRisk } from '../texts.ts';

declare global {
  interface Window {
    /** Whether this script runs on the page already. Only scripts of the extension see it. */
    linksieve?: true;
  }
}

/** The popup adds this script to a page when the user asks it to scan the page. It sends nothing by itself. */
export default defineUnlistedScript(() => {
  if (window.linksieve) return;
  window.linksieve = true;
  browser.runtime.onMessage.addListener((message: PageMessage, _sender, respond) => {
    if (message.type === 'collect') respond(collectContent(document));
    else if (message.type === 'highlight') respond(highlight(message));
  });
});

/** Marks the listed names on the page. @returns how many marks the page has then */
function highlight({ listings, origin }: Extract<PageMessage, { type: 'highlight' }>): number {
  let count = 0;
  let first: HTMLElement | undefined;
  for (const { name, node, hasMore } of findPlaces(document)) {
    const listing = listings[name];
    if (!listing) continue;
    count += 1;
    const label = hasMore ? `${describeRisk(listing)}: ${listing.domain}` : undefined;
    const mark = addMark(node, listing, origin, label);
    first ??= mark;
  }
  first?.scrollIntoView({ block: 'center' });
  return count;
}
