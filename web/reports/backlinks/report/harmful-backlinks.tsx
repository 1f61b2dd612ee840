import { Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ListedBacklink, Report } from '#shared/reports/reports.ts';
import { ConfidenceBadge, RiskBadge } from '../../../blacklist/domains/domains.tsx';
import { DomainListings } from '../../../blacklist/sources/listings.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import styles from './harmful-backlinks.module.css';
import { pageColumn } from './referring-page.tsx';
import { IncludeLost } from './report-figures.tsx';
import { RiskSelect } from './review-filters.tsx';
import { harmfulBacklinksQuery, type ReportScreen, rowsPerPage } from './screen.ts';

interface HarmfulBacklinksProps {
  screen: ReportScreen;
  report: Report;
}

/** The harmful backlinks of a report, page by page, with a filter by risk level. */
export function HarmfulBacklinks({ screen, report }: HarmfulBacklinksProps) {
  const { riskLevel, lost, page = 1 } = screen.search;
  const query = useQuery(harmfulBacklinksQuery(report.id, { page: page - 1, riskLevel, lost }));
  const { data, isPlaceholderData } = query;
  return (
    <section aria-label="Harmful backlinks">
      <div className={styles.head}>
        <Title order={screen.hasReview ? 2 : 3} size="h4">
          Harmful backlinks
        </Title>
        <IncludeLost screen={screen} report={report} />
        <RiskSelect screen={screen} />
      </div>
      {!data ? (
        <QueryState query={query} height={320} title="Error Loading Report" />
      ) : data.backlinks.length === 0 ? (
        <p className={styles.none}>No harmful backlinks at this risk level.</p>
      ) : (
        <>
          <section
            className={styles.scroll}
            data-short={!screen.hasReview || undefined}
            aria-label="Harmful backlinks, scrollable"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            tabIndex={0}
          >
            <BacklinkTable
              key={JSON.stringify([riskLevel, lost, page])}
              backlinks={data.backlinks}
              isStale={isPlaceholderData}
            />
          </section>
          <Pagination
            page={page - 1}
            pageSize={rowsPerPage}
            total={data.pagination.total}
            label="Pages of harmful backlinks"
            onChange={(next) => void screen.go({ page: next > 0 ? next + 1 : undefined })}
          />
        </>
      )}
    </section>
  );
}

function BacklinkTable({ backlinks, isStale }: { backlinks: readonly ListedBacklink[]; isStale: boolean }) {
  /** The positions of the links whose evidence is shown. An export may have the same page twice. */
  const [open, setOpen] = useState<readonly number[]>([]);
  const id = useId();
  const toggle = (index: number) =>
    setOpen(open.includes(index) ? open.filter((other) => other !== index) : [...open, index]);
  const columns: Column<ListedBacklink & { index: number }>[] = [
    {
      name: 'Domain',
      width: '17%',
      onCard: 'title',
      cell: ({ domain, domainId, index }) => (
        <>
          <span data-mono>{domain}</span>
          {domainId === null ? (
            <span className={`${styles.quiet} ${styles.delisted}`}>No longer listed</span>
          ) : (
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={open.includes(index)}
              aria-controls={`${id}-${index}`}
              onClick={() => toggle(index)}
            >
              Evidence
              <VisuallyHidden> against {domain}</VisuallyHidden>
              <ChevronDown size={14} aria-hidden />
            </button>
          )}
        </>
      ),
    },
    { ...pageColumn, width: '30%' },
    { name: 'Risk', width: '148px', cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
    { name: 'Confidence', width: '118px', cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} /> },
    { name: 'Reason', cell: ({ reason }) => reason },
    { name: 'Source', width: '14%', cell: ({ source }) => <span className={styles.quiet}>{source}</span> },
  ];
  return (
    <Table
      label="Harmful backlinks"
      columns={columns}
      rows={backlinks.map((backlink, index) => ({ ...backlink, index }))}
      getRowKey={({ index }) => index}
      renderBelow={({ domainId, index }) =>
        domainId !== null &&
        open.includes(index) && (
          <div id={`${id}-${index}`}>
            <DomainListings id={domainId} />
          </div>
        )
      }
      isStale={isStale}
      isFramed={false}
    />
  );
}
