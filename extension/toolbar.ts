import { browser } from 'wxt/browser';
import type { RiskLevel } from '#shared/blacklist/domains.ts';
import type { Listing } from '../lookup/lookup.ts';
import { describeListing, plural } from './texts.ts';

/** A toolbar icon has room for four letters. */
const badges: Record<RiskLevel, { text: string; color: string }> = {
  low: { text: 'low', color: '#566376' },
  medium: { text: 'med', color: '#8a5a00' },
  high: { text: 'high', color: '#b52f22' },
  'very high': { text: 'max', color: '#6e1220' },
};

const closedTab: { url?: string } = { url: '' };

/** Shows on the toolbar icon of a tab whether its site is listed, unless the tab shows another site by now. */
export async function showListing(tabId: number, hostname: string, listing: Listing | undefined): Promise<void> {
  const { url } = await browser.tabs.get(tabId).catch(() => closedTab);
  // Without the permission `tabs`, the address is missing.
  if (url !== undefined && URL.parse(url)?.hostname !== hostname) return;
  if (!listing) return show(tabId, '', badges.low.color, 'Linksieve: this site is not listed');
  const { text, color } = badges[listing.riskLevel];
  return show(tabId, text, color, `Linksieve: ${describeListing(listing)}`);
}

/** Shows on the toolbar icon of a tab how many domains in the results of a search engine are listed. */
export function showResultCount(tabId: number, count: number): Promise<void> {
  const text = count > 0 ? String(count) : '';
  return show(tabId, text, badges.high.color, `Linksieve: ${plural(count, 'listed domain')} in these results`);
}

/** The user may have closed the tab in the meantime, so failures have no effect. */
async function show(tabId: number, text: string, color: string, title: string): Promise<void> {
  await Promise.allSettled([
    browser.action.setBadgeText({ tabId, text }),
    browser.action.setBadgeBackgroundColor({ tabId, color }),
    browser.action.setBadgeTextColor({ tabId, color: '#ffffff' }),
    browser.action.setTitle({ tabId, title }),
  ]);
}
