import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { InstallationError, refreshRangeInfo } from '../installation.ts';
import { lookUpHosts, NotSetUpError } from '../look-up-hosts.ts';
import type { LookUpMessage, LookUpReply } from '../messages.ts';
import { isSearchPage } from '../search-engines.ts';
import { onSettingsChange, readSettings } from '../settings.ts';
import { getErrorMessage } from '../texts.ts';
import { showListing, showResultCount } from '../toolbar.ts';

const refreshAlarm = 'refresh-range-info';
const refreshMinutes = 6 * 60;

export default defineBackground(() => {
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    await browser.alarms.create(refreshAlarm, { periodInMinutes: refreshMinutes });
    if (reason === 'install') await browser.runtime.openOptionsPage();
  });
  browser.alarms.onAlarm.addListener(() => refresh());
  onSettingsChange(() => refresh());
  browser.runtime.onMessage.addListener((message: LookUpMessage, sender, respond) => {
    if (message.type !== 'lookUp') return;
    void reply(message, sender.tab?.id).then(respond);
    return true;
  });
  browser.tabs.onUpdated.addListener(async (tabId, { url, status }, tab) => {
    // Without the permission `tabs`, the address is missing.
    if (tab.url && (url || status === 'complete')) await showRisk(tabId, tab.url);
  });
});

/** An installation that cannot be reached now keeps its old description. */
async function refresh(): Promise<void> {
  await refreshRangeInfo().catch((error: unknown) => {
    if (!(error instanceof InstallationError)) throw error;
  });
}

async function reply({ hosts, countOnToolbar }: LookUpMessage, tabId: number | undefined): Promise<LookUpReply> {
  try {
    const found = await lookUpHosts(hosts);
    if (countOnToolbar && tabId !== undefined) await showResultCount(tabId, Object.keys(found.listings).length);
    return found;
  } catch (error) {
    return { error: getErrorMessage(error), isSetUp: !(error instanceof NotSetUpError) };
  }
}

/** Shows the risk of the site of a tab, if the user wants it for every site. */
async function showRisk(tabId: number, address: string): Promise<void> {
  const { origin, showsEverySite, marksResults } = await readSettings();
  const url = URL.parse(address);
  if (origin === null || !showsEverySite || !url || !/^https?:$/.test(url.protocol)) return;
  // These show the number of listed results instead.
  if (marksResults && isSearchPage(url)) return;
  const { listings } = await lookUpHosts([url.hostname]);
  await showListing(tabId, listings[url.hostname]);
}
