import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Listing, type ListingProof, listListings, type SourceKind } from '#shared/blacklist/sources.ts';
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

/**
 * Returns the listings in their order, those that differ only in what they prove together: readers of public pages do
 * not see the names of sources.
 */
function groupListings(listings: readonly Listing[]): Listing[][] {
  const toKey = ({ source, kind, family, withdrawnAt, note }: Listing, index: number) =>
    source || family || note ? `${index}` : `${kind} ${withdrawnAt?.slice(0, 10)}`;
  const groups = new Map<string, Listing[]>();
  for (const [index, listing] of listings.entries()) {
    const key = toKey(listing, index);
    groups.set(key, [...(groups.get(key) ?? []), listing]);
  }
  return [...groups.values()];
}

/** Listings as a timeline, in the given order. Also rendered on the server. */
export function ListingTimeline({ listings, maxShown = Number.POSITIVE_INFINITY }: ListingTimelineProps) {
  const groups = groupListings(listings);
  const [isAll, setAll] = useState(groups.length <= maxShown + 1);
  const shown = isAll ? groups : groups.slice(0, maxShown);
  return (
    <>
      <ol className={styles.timeline} aria-label="Listings">
        {shown.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sources may be hidden, so a listing has no other key
          <ListingEntry key={index} group={group} />
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

function ListingEntry({ group }: { group: readonly Listing[] }) {
  const [listing] = group;
  if (!listing) return null;
  const { source, kind, family, withdrawnAt, note } = listing;
  const firstSeen = group.map((one) => one.firstSeen).sort()[0] ?? null;
  const lastSeen =
    group
      .map((one) => one.lastSeen)
      .sort()
      .at(-1) ?? null;
  return (
    <li className={styles.entry} data-withdrawn={withdrawnAt !== null || undefined}>
      <div className={styles.head}>
        <span className={styles.kind}>{kindLabels[kind]}</span>
        {source && <bdi className={styles.source}>{source}</bdi>}
        {group.length > 1 && <span className={styles.source}>{plural(group.length, 'source')}</span>}
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
      {listProofs(group).map(({ price, evidence, proof }) => (
        <div key={`${price} ${evidence?.href}`} className={styles.proof}>
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
          {proof && <ProofLine proof={proof} />}
        </div>
      ))}
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

const proofTexts: Record<ListingProof['status'], string> = {
  seen: 'Still there',
  changed: 'The page has changed',
  gone: 'The page was gone',
  unreachable: 'The page was not reachable',
};

/** What the last visit to the evidence found. */
function ProofLine({ proof: { status, checkedAt, quote, isGone } }: { proof: ListingProof }) {
  return (
    <span className={styles.dates}>
      {proofTexts[status]} on <DateText value={checkedAt} />
      {isGone && '. Twice gone, so this listing counts as one without evidence'}
      {quote && <q dir="auto">{quote}</q>}
    </span>
  );
}

/** The prices and links of a group. A price alone is left out if a link has the same one. */
function listProofs(group: readonly Listing[]) {
  const proofs = group.map(({ price, evidenceUrl, proof }) => ({
    price,
    evidence: evidenceUrl === null ? undefined : toEvidenceLink(evidenceUrl),
    proof,
  }));
  const linked = new Set(proofs.flatMap(({ price, evidence }) => (evidence ? [price] : [])));
  const shown = proofs.filter(({ price, evidence }) => evidence || (price && !linked.has(price)));
  return [...new Map(shown.map((proof) => [`${proof.price} ${proof.evidence?.href}`, proof])).values()];
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

export interface SourceCounts {
  sourceCount: number;
  independentSourceCount: number;
}

/** '3 sources, 2 of them independent'. Sources that copy from each other count once. */
export function countSources({ sourceCount, independentSourceCount }: SourceCounts): string {
  const sources = plural(sourceCount, 'source');
  if (independentSourceCount === sourceCount) return sources;
  return `${sources}, ${formatCount(independentSourceCount)} of them independent`;
}
