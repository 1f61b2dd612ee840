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
  void createAlarm();
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
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

/** Creates the alarm unless it exists: creating it again would restart its period. */
async function createAlarm(): Promise<void> {
  if (await browser.alarms.get(refreshAlarm)) return;
  await browser.alarms.create(refreshAlarm, { periodInMinutes: refreshMinutes });
}

/** An installation that cannot be reached now keeps its old description. */
async function refresh(): Promise<void> {
  await refreshRangeInfo().catch(ignoreUnreachable);
}

async function reply({ hosts, listedBefore }: LookUpMessage, tabId: number | undefined): Promise<LookUpReply> {
  try {
    const found = await lookUpHosts(hosts);
    if (listedBefore !== undefined && tabId !== undefined) {
      await showResultCount(tabId, listedBefore + Object.keys(found.listings).length);
    }
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
  const found = await lookUpHosts([url.hostname]).catch(ignoreUnreachable);
  if (found) await showListing(tabId, url.hostname, found.listings[url.hostname]);
}

/** The popup shows why a check fails. Work in the background tries again with the next page. */
function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof InstallationError)) throw error;
}
