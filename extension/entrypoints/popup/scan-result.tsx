import { useState } from 'react';
import { riskLevels } from '#shared/blacklist/domains.ts';
import type { Listing } from '../../../lookup/lookup.ts';
import { csvRow } from '../../../server/platform/csv/write-csv.ts';
import type { PageLink } from '../../page-content.ts';
import { RiskBadge } from '../../risk-badge.tsx';
import { plural } from '../../texts.ts';

export interface Scan {
  /** The host of the scanned page. */
  host: string;
  /** At most `maxHosts`. */
  links: PageLink[];
  /** The number of hosts that the page links to. */
  total: number;
  /** By the host of a link. */
  listings: Record<string, Listing>;
}

const columns = [
  'domain',
  'riskLevel',
  'confidence',
  'sourceCount',
  'dateAdded',
  'listedAs',
  'links',
  'follow',
  'anchor',
  'url',
];

/** '5 outgoing domains: 2 listed' */
export function describeScan({ links, total, listings }: Scan): string {
  if (total === 0) return 'This page has no outgoing links';
  const domains = plural(total, 'outgoing domain');
  const checked = total > links.length ? `The first ${links.length} of ${domains}` : domains;
  return `${checked}: ${Object.keys(listings).length} listed`;
}

/** The outgoing links of a page by risk. */
export function ScanResult({ host, links, listings }: Scan) {
  const rows = links
    .map((link) => ({ link, listing: listings[link.host] }))
    .toSorted((a, b) => toRank(b.listing) - toRank(a.listing));
  const listed = rows.flatMap(({ link, listing }) => (listing ? [{ link, listing }] : []));
  const others = rows.filter(({ listing }) => !listing);
  const csv = () =>
    [columns, ...rows.map(({ link, listing }) => toCells(link, listing))].map((cells) => csvRow(cells)).join('');
  return (
    <>
      {listed.length > 0 && (
        <ul className="links">
          {listed.map(({ link, listing }) => (
            <li key={link.host}>
              <span className="name">{link.host}</span>
              <RiskBadge listing={listing} />
              <span className="dim">{describeLink(link)}</span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details open={listed.length === 0}>
          <summary>{`${plural(others.length, 'domain')} not listed`}</summary>
          <ul className="links">
            {others.map(({ link }) => (
              <li key={link.host}>
                <span className="name">{link.host}</span>
                <span className="dim">{describeLink(link)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {links.length > 0 && (
        <div className="actions">
          <CopyButton text={listed.map(({ link }) => link.host).join('\n')} />
          <button type="button" onClick={() => download(`linksieve-${host}.csv`, csv())}>
            Download CSV
          </button>
        </div>
      )}
    </>
  );
}

/** 0 for a domain that is not listed. */
const toRank = (listing: Listing | undefined) => (listing ? riskLevels.indexOf(listing.riskLevel) + 1 : 0);

const describeLink = ({ count, isFollowed }: PageLink) => `${plural(count, 'link')}${isFollowed ? '' : ', nofollow'}`;

function toCells({ host, count, isFollowed, text, url }: PageLink, listing: Listing | undefined) {
  const { riskLevel, confidence, sourceCount, dateAdded, domain } = listing ?? {};
  return [host, riskLevel, confidence, sourceCount, dateAdded, domain, count, isFollowed, text, url];
}

/** @param text one listed domain per line */
function CopyButton({ text }: { text: string }) {
  const [label, setLabel] = useState('Copy listed domains');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setLabel('Copied'),
      () => setLabel('Could not copy'),
    );
  return (
    <button type="button" disabled={text === ''} onClick={() => void copy()}>
      {label}
    </button>
  );
}

/** The byte order mark tells spreadsheets the encoding. */
function download(fileName: string, csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv' }));
  link.download = fileName;
  link.click();
  // Firefox needs it until the download has started.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
