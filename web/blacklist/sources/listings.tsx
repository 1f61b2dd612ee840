import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Listing, listListings, type SourceKind } from '#shared/blacklist/sources.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { NewTabIcon } from '../../ui/external-link.tsx';
import { ErrorState } from '../../ui/states.tsx';
import styles from './listings.module.css';

const listingsQuery = (id: number) => endpointQuery(['domains', 'listings', id], listListings, { params: { id } });

/** The listings of a domain: who lists it since when, and the evidence. */
export function DomainListings({ id }: { id: number }) {
  const { data: listings, error, refetch, isFetching } = useQuery(listingsQuery(id));
  if (error) {
    return (
      <ErrorState
        title="The evidence could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (!listings) return <div className={styles.placeholder} role="status" aria-label="Loading..." data-waiting />;
  if (listings.length === 0) return <p className={styles.empty}>No evidence is recorded for this domain.</p>;
  return <ListingTimeline listings={listings} maxShown={8} />;
}

interface ListingTimelineProps {
  listings: readonly Listing[];
  /** Listings shown before a press on the button that shows all. */
  maxShown?: number;
}

/** Listings as a timeline, in the given order. Also rendered on the server. */
export function ListingTimeline({ listings, maxShown = Number.POSITIVE_INFINITY }: ListingTimelineProps) {
  const [isAll, setAll] = useState(listings.length <= maxShown + 1);
  const shown = isAll ? listings : listings.slice(0, maxShown);
  return (
    <>
      <ol className={styles.timeline} aria-label="Listings">
        {shown.map((listing, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sources may be hidden, so a listing has no other key
          <ListingEntry key={index} listing={listing} />
        ))}
      </ol>
      {!isAll && (
        <Button className={styles.more} size="xs" variant="default" onClick={() => setAll(true)}>
          Show all {plural(listings.length, 'listing')}
        </Button>
      )}
    </>
  );
}

/** The names of the kinds of sources on all screens. */
export const kindLabels: Record<SourceKind, string> = {
  inventory: "Seller's offer",
  submission: 'Verified submission',
  manual: 'Manual entry',
  disavow: 'Disavow file',
  list: 'Public blocklist',
};

function ListingEntry({ listing }: { listing: Listing }) {
  const { source, kind, family, firstSeen, lastSeen, withdrawnAt, evidenceUrl, price, note } = listing;
  const evidence = evidenceUrl === null ? undefined : toEvidenceLink(evidenceUrl);
  return (
    <li className={styles.entry} data-withdrawn={withdrawnAt !== null || undefined}>
      <div className={styles.head}>
        <span className={styles.kind}>{kindLabels[kind]}</span>
        {source && <bdi className={styles.source}>{source}</bdi>}
        <span className={styles.state}>{withdrawnAt ? 'Withdrawn' : 'Active'}</span>
      </div>
      <div className={styles.dates}>
        First seen <DateText value={firstSeen} />, last seen <DateText value={lastSeen} />
        {withdrawnAt && (
          <>
            , withdrawn <DateText value={withdrawnAt} />
          </>
        )}
      </div>
      {(price || evidence) && (
        <div className={styles.proof}>
          {price && (
            <span>
              Price: <bdi>{price}</bdi>
            </span>
          )}
          {evidence && (
            <a href={evidence.href} target="_blank" rel="nofollow noopener noreferrer ugc">
              <span data-mono>{evidence.text}</span>
              <NewTabIcon note="(evidence)" />
            </a>
          )}
        </div>
      )}
      {note && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
      {family && (
        <div className={styles.dates}>
          Counts once with other sources of {family.name ? <bdi>{family.name}</bdi> : 'its family'}
        </div>
      )}
    </li>
  );
}

/** In characters. */
const maxLinkText = 60;

/** Returns the target and text of a link to evidence; undefined unless it is an http(s) URL. */
export function toEvidenceLink(evidenceUrl: string): { href: string; text: string } | undefined {
  const url = URL.canParse(evidenceUrl) ? new URL(evidenceUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  const text = url.host + (url.pathname === '/' ? '' : url.pathname) + url.search;
  return { href: url.href, text: text.length > maxLinkText ? `${text.slice(0, maxLinkText)}…` : text };
}

interface SourceCounts {
  sourceCount: number;
  independentSourceCount: number;
}

/** '3 sources, 2 of them independent'. Sources that copy from each other count once. */
export function countSources({ sourceCount, independentSourceCount }: SourceCounts): string {
  const sources = plural(sourceCount, 'source');
  if (independentSourceCount === sourceCount) return sources;
  return `${sources}, ${formatCount(independentSourceCount)} of them independent`;
}
