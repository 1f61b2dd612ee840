import { Textarea } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { maxNoteLength } from '#shared/reports/decisions.ts';
import type { SharedBacklink } from '#shared/reports/report-shares.ts';
import type { ToxicDomain } from '#shared/reports/reports.ts';
import { DomainListings } from '../../../blacklist/sources/listings.tsx';
import { paths } from '../../../paths.ts';
import { plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import styles from './domain-panel.module.css';
import { LivePages } from './live-pages.tsx';
import { pageColumn, ReferringPage } from './referring-page.tsx';
import { linksPerPage, linksQuery, type ReportScreen } from './screen.ts';
import type { ReportSource } from './source.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

export interface DomainPanelProps {
  row: ToxicDomain;
  screen: ReportScreen;
  /** Undefined if the page is read-only. */
  decisions: ReportDecisions | undefined;
}

/**
 * What to know before deciding about a domain: its links, the evidence against it, and the user's note. Readers see the
 * links, and the evidence on the public page.
 */
export function DomainPanel({ row, screen, decisions }: DomainPanelProps) {
  return (
    <div className={styles.panel}>
      <section aria-label={`Links from ${row.domain}`} className={styles.links}>
        <Links row={row} source={screen.source} lost={screen.search.lost} />
        {decisions && row.live && <LivePages reportId={decisions.reportId} domain={row.domain} live={row.live} />}
      </section>
      <div className={styles.side}>
        <section>
          <h3>Evidence</h3>
          {decisions &&
            (row.domainId === null ? (
              <p data-quiet>The domain is no longer listed.</p>
            ) : (
              <DomainListings id={row.domainId} />
            ))}
          <Link to={paths.domainPage} params={{ name: row.domain }} className={styles.public}>
            Public page of the domain
          </Link>
        </section>
        {decisions && <Note key={row.domain} row={row} onSave={(note) => decisions.saveNote(row, note)} />}
      </div>
    </div>
  );
}

interface LinksProps {
  row: ToxicDomain;
  source: ReportSource;
  lost: 'include' | undefined;
}

function Links({ row, source, lost }: LinksProps) {
  const [page, setPage] = useState(0);
  const query = useQuery({
    ...linksQuery(source, row.domain, lost, page),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  if (!data) {
    const height = 40 + 48 * Math.min(row.backlinks, linksPerPage);
    return <QueryState query={query} height={height} title="The links could not be loaded" />;
  }
  const columns = linkColumns.filter(({ isUsed }) => data.backlinks.some(isUsed));
  return (
    <>
      <h3>{plural(data.pagination.total, 'link')}</h3>
      <Table
        label={`Links from ${row.domain}`}
        columns={columns}
        rows={data.backlinks.map((link, index) => ({ ...link, index }))}
        getRowKey={({ index }) => index}
        isStale={isPlaceholderData}
      />
      {data.pagination.totalPages > 1 && (
        <Pagination
          page={page}
          pageSize={linksPerPage}
          total={data.pagination.total}
          label={`Pages of links from ${row.domain}`}
          onChange={setPage}
        />
      )}
    </>
  );
}

/** Columns that the export does not have are left out. */
const linkColumns: (Column<SharedBacklink> & { isUsed(link: SharedBacklink): boolean })[] = [
  { ...pageColumn, isUsed: () => true },
  {
    name: 'Anchor text',
    isUsed: ({ anchor }) => anchor !== null,
    cell: ({ anchor }) => (anchor ? <span dir="auto">{anchor}</span> : <span data-quiet>No text</span>),
  },
  {
    name: 'Target page',
    isUsed: ({ targetPage }) => targetPage !== null,
    cell: ({ targetPage }) => targetPage && <ReferringPage page={targetPage} />,
  },
  {
    name: 'First seen',
    width: '120px',
    isUsed: ({ firstSeen, firstSeenText }) => firstSeen !== null || firstSeenText !== null,
    cell: ({ firstSeen, firstSeenText }) => firstSeenText ?? <DateText value={firstSeen} />,
  },
];

function Note({ row, onSave }: { row: ToxicDomain; onSave(note: string): void }) {
  // What the user typed stays if it cannot be saved.
  const [draft, setDraft] = useState<string>();
  const text = draft ?? row.note;
  const isChanged = text.trim() !== row.note;
  return (
    <form
      className={styles.noteForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSave(text.trim());
      }}
    >
      <Textarea
        label="Note"
        placeholder="For example: asked the owner on March 3"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={maxNoteLength}
        value={text}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={!isChanged}>
        Save note
      </Button>
    </form>
  );
}
