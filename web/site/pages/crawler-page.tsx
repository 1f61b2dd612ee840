import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { crawlerName, crawlManners } from '#shared/blacklist/crawl.ts';
import { useSession } from '../../accounts/sessions/session.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useTitle } from '../../platform/use-title.ts';
import { PendingMarker } from '../../ui/states.tsx';
import { LegalPage, type LegalSection } from './legal-page.tsx';
import { OperatorName } from './operator-name.tsx';

/** What owners of visited sites want to know. */
export function CrawlerPage() {
  useTitle(publicPageTitles[paths.crawler]);
  return (
    <LegalPage
      title={crawlerName}
      lastUpdated="November 30, 2026"
      lead="Your server log shows this name. Here is what it requested, why, and how to stop it."
      sections={sections}
    />
  );
}

const OptOuts = lazyPart(async () => {
  const [, optOuts] = await Promise.all([
    import('../../ui/more-styles.ts'),
    import('../../blacklist/crawl/opt-outs.tsx'),
  ]);
  return optOuts;
}, 'OptOuts');

const sections: readonly LegalSection[] = [
  {
    id: 'why',
    title: 'Why it visits',
    body: (
      <>
        <p>
          This site is run by <OperatorName />. It lists domains that sell links, and helps owners of websites to find
          such links among their backlinks. {crawlerName} requests a page for one of three reasons:
        </p>
        <ul>
          <li>A page links to a website of a user, who asks whether the link still exists.</li>
          <li>The page is evidence of a listing, and is visited again to see whether it still is.</li>
          <li>
            The site may sell links. {crawlerName} then reads its home page and the pages for advertisers and guest
            authors that this page links to.
          </li>
        </ul>
        <p>It follows no other links, and does not collect texts for search engines or language models.</p>
      </>
    ),
  },
  {
    id: 'manners',
    title: 'How it behaves',
    body: (
      <ul>
        <li>
          At most one request every 5 seconds to a host, and {crawlManners.pagesPerHost} pages of a host per check.
        </li>
        <li>It reads robots.txt first, and again after {crawlManners.robotsHours} hours. Crawl-delay is respected.</li>
        <li>It waits as long as a Retry-After header says, after the statuses 429 and 503.</li>
        <li>
          It stops after {crawlManners.megabytes} MB or {crawlManners.timeoutSeconds} seconds, and after{' '}
          {crawlManners.redirects} redirects.
        </li>
        <li>It runs no scripts, loads no images, sends no cookies and fills in no forms.</li>
      </ul>
    ),
  },
  {
    id: 'stored',
    title: 'What is stored',
    body: (
      <p>
        Facts, not your page: the status, the address after redirects, the <code>rel</code> values and the text of the
        link, the sentence around it or the offer with its price (up to 300 characters), a checksum of the text, and the
        time.
      </p>
    ),
  },
  {
    id: 'robots',
    title: 'Control it with robots.txt',
    body: (
      <>
        <p>
          A group for {crawlerName} has precedence over the group for all crawlers. This keeps it out within{' '}
          {crawlManners.robotsHours} hours:
        </p>
        <pre>
          <code>{`User-agent: ${crawlerName}\nDisallow: /`}</code>
        </pre>
      </>
    ),
  },
  {
    id: 'opt-out',
    title: 'Stop all visits',
    body: (
      <>
        <p>
          You can also stop the visits here, for a domain with all its subdomains. You need an account, and prove that
          you control the domain with a DNS record or a file. A listing of the domain does not change. To object to a
          listing, appeal on the page of the domain.
        </p>
        <StopVisits />
      </>
    ),
  },
  {
    id: 'contact',
    title: 'Ask the operator',
    body: (
      <p>
        Does something look wrong? Write to us on the <Link to={paths.contact}>contact page</Link>, with the lines of
        your log. You do not need an account.
      </p>
    ),
  },
];

function StopVisits() {
  const { state } = useSession();
  if (state === 'user') {
    return (
      <Suspense fallback={<PendingMarker />}>
        <OptOuts />
      </Suspense>
    );
  }
  return (
    <p>
      <Link to={paths.auth} search={{ next: paths.crawler }}>
        Sign in to stop visits
      </Link>
    </p>
  );
}
