import { useState } from 'react';
import { riskLevels } from '#shared/domains.ts';
import type { Listing } from '../../../lookup/lookup.ts';
import { csvRow } from '../../../server/csv/write-csv.ts';
import type { PageLink } from '../../page-content.ts';
import { RiskBadge } from '../../risk-badge.tsx';
import { plural } from '../../texts.ts';

export interface Scan {
  /** The host of the scanned page. */
  host: string;
  links: PageLink[];
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
      <h2>
        {links.length === 0 && 'This page has no outgoing links'}
        {links.length > 0 && `${plural(links.length, 'outgoing domain')}: ${listed.length} listed`}
      </h2>
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
    <button type="button" disabled={text === ''} aria-live="polite" onClick={() => void copy()}>
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
  URL.revokeObjectURL(link.href);
}
