import { useEffect, useState } from 'react';
import { browser } from 'wxt/browser';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { Listing } from '../../../lookup/lookup.ts';
import { Brand } from '../../brand.tsx';
import { type LookUpReply, requestLookUp } from '../../messages.ts';
import { RiskBadge } from '../../risk-badge.tsx';
import { isSearchPage } from '../../search-engines.ts';
import { describeConfidence, describeDate, getErrorMessage } from '../../texts.ts';
import { showListing } from '../../toolbar.ts';
import { PageTools, type Site } from './page-tools.tsx';
import { SetUp } from './set-up.tsx';

/** Null for a page without a host, such as a new tab. */
type Found = { site: Site | null; reply: LookUpReply };

export function Popup() {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const load = () => {
    loadSite().then(setFound, (reason: unknown) => setError(getErrorMessage(reason)));
  };
  useEffect(load, []);
  return (
    <>
      <header>
        <Brand />
        <button type="button" className="quiet" onClick={() => void browser.runtime.openOptionsPage()}>
          Settings
        </button>
      </header>
      <main aria-busy={!found && !error}>
        {error !== undefined && <p role="alert">{error}</p>}
        {found && <Content {...found} onSetUp={load} />}
        {!found && !error && <p className="dim">Checking this site…</p>}
      </main>
    </>
  );
}

async function loadSite(): Promise<Found> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const url = URL.parse(tab?.url ?? '');
  const site = tab?.id !== undefined && url && /^https?:$/.test(url.protocol) ? { tabId: tab.id, url } : null;
  const reply = await requestLookUp({ hosts: site ? [site.url.hostname] : [] });
  // The icon shows the number of listed results on a page of a search engine.
  if (site && 'listings' in reply && reply.valid.length > 0 && !isSearchPage(site.url)) {
    await showListing(site.tabId, site.url.hostname, reply.listings[site.url.hostname]);
  }
  return { site, reply };
}

function Content({ site, reply, onSetUp }: Found & { onSetUp(): void }) {
  if ('error' in reply && !reply.isSetUp) return <SetUp page={site?.url} onSetUp={onSetUp} />;
  if ('error' in reply) {
    return (
      <>
        <p role="alert">{reply.error}</p>
        <button type="button" onClick={onSetUp}>
          Try again
        </button>
      </>
    );
  }
  if (!site) return <p className="dim">Open a website to see whether it is listed.</p>;
  const { hostname } = site.url;
  const listing = reply.listings[hostname];
  return (
    <>
      {listing && <Verdict host={hostname} listing={listing} origin={reply.origin} />}
      {!listing && reply.valid.length > 0 && (
        <section aria-labelledby="verdict">
          <h1 id="verdict">
            <span className="name">{hostname.replace(/^www\./, '')}</span>
            <span className="badge" data-level="none">
              Not listed
            </span>
          </h1>
          <p className="dim">No source in this blacklist lists the site.</p>
        </section>
      )}
      {reply.valid.length === 0 && (
        <p className="dim">
          <span className="name">{hostname}</span> is not a public domain name, so it cannot be listed.
        </p>
      )}
      <PageTools site={site} />
    </>
  );
}

function Verdict({ host, listing, origin }: { host: string; listing: Listing; origin: string }) {
  const { domain, sourceCount, dateAdded } = listing;
  const isParent = domain !== host.replace(/^www\./, '');
  return (
    <section aria-labelledby="verdict">
      <h1 id="verdict">
        <span className="name">{domain}</span>
        <RiskBadge listing={listing} />
      </h1>
      {isParent && (
        <p className="dim">
          The listing covers <span className="name">{host}</span>.
        </p>
      )}
      <dl>
        <div>
          <dt>Confidence</dt>
          <dd>{describeConfidence(listing)}</dd>
        </div>
        <div>
          <dt>Sources</dt>
          <dd>{sourceCount ?? 'Unknown'}</dd>
        </div>
        <div>
          <dt>Listed since</dt>
          <dd>{dateAdded ? describeDate(dateAdded) : 'Unknown'}</dd>
        </div>
      </dl>
      <p>
        <a href={origin + toDomainPage(domain)} target="_blank" rel="noopener noreferrer">
          See the evidence
        </a>
      </p>
    </section>
  );
}
