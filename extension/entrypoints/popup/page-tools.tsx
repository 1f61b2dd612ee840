import { useState } from 'react';
import { browser } from 'wxt/browser';
import type { LookedUp } from '../../look-up-hosts.ts';
import { type PageMessage, requestLookUp } from '../../messages.ts';
import type { PageContent } from '../../page-content.ts';
import { getErrorMessage, plural } from '../../texts.ts';
import { describeScan, type Scan, ScanResult } from './scan-result.tsx';

/** The tab that the popup was opened for. */
export interface Site {
  tabId: number;
  url: URL;
}

type State = { step: 'idle' | 'busy' } | { step: 'scanned'; scan: Scan } | { step: 'done' | 'failed'; text: string };

/** Checks what the page of the tab contains. */
export function PageTools({ site }: { site: Site }) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const isBusy = state.step === 'busy';
  const run = async (work: () => Promise<State>) => {
    if (isBusy) return;
    setState({ step: 'busy' });
    setState(await work().catch((error: unknown): State => ({ step: 'failed', text: getErrorMessage(error) })));
  };
  return (
    <section aria-label="This page">
      <div className="actions">
        <button type="button" aria-disabled={isBusy} onClick={() => void run(() => scan(site))}>
          Scan this page
        </button>
        <button type="button" aria-disabled={isBusy} onClick={() => void run(() => highlight(site))}>
          Highlight offers
        </button>
      </div>
      <div role="status">
        {isBusy && <p className="dim">Checking the domains on this page…</p>}
        {state.step === 'done' && <p>{state.text}</p>}
        {state.step === 'scanned' && <h2>{describeScan(state.scan)}</h2>}
      </div>
      {state.step === 'failed' && <p role="alert">{state.text}</p>}
      {state.step === 'scanned' && <ScanResult {...state.scan} />}
    </section>
  );
}

/** Lists the outgoing links of the page with the listings of their domains. */
async function scan(site: Site): Promise<State> {
  const { links, totals } = await collect(site);
  const { listings } = await lookUp(links.map(({ host }) => host));
  return { step: 'scanned', scan: { host: site.url.hostname, links, total: totals.links, listings } };
}

/** Marks the listed names on the page, such as the offers of a marketplace. */
async function highlight(site: Site): Promise<State> {
  const { names, totals } = await collect(site);
  const { listings, valid, origin } = await lookUp(names);
  const count: number = await sendToPage(site, { type: 'highlight', listings, origin });
  const left = totals.names - names.length;
  const checked = `${plural(valid.length, 'domain')} checked${left > 0 ? ` and ${left} left out` : ''}`;
  const text = count === 0 ? `${checked}, none is listed.` : `${checked}, ${plural(count, 'listed name')} highlighted.`;
  return { step: 'done', text };
}

async function lookUp(hosts: readonly string[]): Promise<LookedUp> {
  const reply = await requestLookUp({ hosts });
  if ('error' in reply) throw new Error(reply.error);
  return reply;
}

/** Adds the script to the page and asks it for what the page contains. @throws an error with a sentence */
async function collect(site: Site): Promise<PageContent> {
  if (!(await browser.permissions.request({ permissions: ['scripting'] }))) {
    throw new Error('Scanning needs the permission to read the page that you scan.');
  }
  try {
    await browser.scripting.executeScript({ target: { tabId: site.tabId }, files: ['/page.js'] });
  } catch {
    throw new Error('The browser does not let extensions read this page.');
  }
  return sendToPage(site, { type: 'collect' });
}

function sendToPage<Reply>({ tabId }: Site, message: PageMessage): Promise<Reply> {
  return browser.tabs.sendMessage(tabId, message);
}
