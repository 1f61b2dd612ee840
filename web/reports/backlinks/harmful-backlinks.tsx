import { Group, Skeleton, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { riskLevels } from '#shared/blacklist/domains.ts';
import type { ListedBacklink, Report, ReportFigures } from '#shared/reports/reports.ts';
import { ConfidenceBadge, RiskBadge, riskLabels } from '../../blacklist/domains/domains.tsx';
import { DomainListings } from '../../blacklist/sources/listings.tsx';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ErrorState } from '../../ui/states.tsx';
import styles from './harmful-backlinks.module.css';
import { LinkFlags, ReferringPage } from './referring-page.tsx';
import { ReportExports } from './report-exports.tsx';
import { harmfulBacklinksQuery, useScreenState } from './screen.ts';

const riskOptions = [
  { value: '', label: 'All risk levels' },
  ...riskLevels.toReversed().map((level) => ({ value: level, label: `${riskLabels[level]} Risk` })),
];

interface HarmfulBacklinksProps {
  report: Report;
  /** The figures of the report, with or without lost links. */
  figures: ReportFigures;
}

/** The harmful backlinks of a report, paged and filtered by risk level, with the export buttons. */
export function HarmfulBacklinks({ report, figures }: HarmfulBacklinksProps) {
  const { search, go } = useScreenState();
  const page = (search.page ?? 1) - 1;
  const query = useQuery({
    ...harmfulBacklinksQuery(report.id, { page, riskLevel: search.risk, lost: search.lost }),
    enabled: figures.harmfulBacklinks > 0,
  });
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });

  if (figures.harmfulBacklinks === 0) {
    const harmfulLost = report.includingLost?.harmfulBacklinks ?? 0;
    return (
      <EmptyState
        title="No harmful backlinks found"
        description={
          harmfulLost > 0
            ? `Only lost links come from domains on the blacklist: ${formatCount(harmfulLost)}.`
            : 'None of the referring domains in this export are on the blacklist.'
        }
      >
        {harmfulLost > 0 && (
          <Button variant="default" onClick={() => go({ lost: 'include', page: undefined })}>
            Include lost links
          </Button>
        )}
      </EmptyState>
    );
  }
  const List = isNarrow ? HarmfulList : HarmfulTable;
  return (
    <section aria-label="Harmful backlinks">
      <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
        <Title order={3} size="h4">
          Harmful backlinks
        </Title>
        <Group gap="sm" className={styles.tools}>
          <SelectField
            aria-label="Risk level"
            size="xs"
            options={riskOptions}
            value={search.risk ?? ''}
            onChange={(value) => go({ risk: riskLevels.find((level) => level === value), page: undefined })}
          />
          <ReportExports report={report} figures={figures} filter={{ lost: search.lost, risk: search.risk }} />
        </Group>
      </Group>
      {query.isError && (
        <ErrorState title="Error Loading Report" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton height={320} radius="md" />}
      {query.data && (
        <div className={styles.results} data-stale={query.isPlaceholderData || undefined}>
          {query.data.backlinks.length === 0 ? (
            <Text c="dimmed" py="xl" ta="center">
              No harmful backlinks at this risk level.
            </Text>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            <section className={styles.scroll} aria-label="Harmful backlinks, scrollable" tabIndex={0}>
              <List backlinks={query.data.backlinks} />
            </section>
          )}
          <Pagination
            page={page}
            pageSize={query.data.pagination.pageSize}
            total={query.data.pagination.total}
            onChange={(next) => go({ page: next === 0 ? undefined : next + 1 })}
          />
        </div>
      )}
    </section>
  );
}

/** One page of harmful backlinks on wide screens. */
function HarmfulTable({ backlinks }: { backlinks: readonly ListedBacklink[] }) {
  return (
    <Table stickyHeader highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Domain</Table.Th>
          <Table.Th>Referring page</Table.Th>
          <Table.Th>Risk</Table.Th>
          <Table.Th>Confidence</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>Source</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {backlinks.map((backlink, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an export may have the same page twice, and rows never move
          <HarmfulRow key={index} backlink={backlink} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function HarmfulRow({ backlink }: { backlink: ListedBacklink }) {
  const evidence = useEvidence(backlink);
  return (
    <>
      <Table.Tr>
        <Table.Td className={styles.domain}>
          <span data-mono>{backlink.domain}</span>
          {evidence.button}
        </Table.Td>
        <Table.Td className={styles.page}>
          <ReferringPage page={backlink.referringPage} />
          <LinkFlags backlink={backlink} />
        </Table.Td>
        <Table.Td>
          <RiskBadge level={backlink.riskLevel} />
        </Table.Td>
        <Table.Td>
          <ConfidenceBadge confidence={backlink.confidence} />
        </Table.Td>
        <Table.Td className={styles.reason}>{backlink.reason}</Table.Td>
        <Table.Td className={styles.source}>{backlink.source}</Table.Td>
      </Table.Tr>
      {evidence.panel && (
        <Table.Tr>
          <Table.Td colSpan={6} className={styles.evidence}>
            {evidence.panel}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** A button that shows the current evidence against the domain of a backlink, and the evidence while it is shown. */
function useEvidence({ domain, domainId }: ListedBacklink) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  if (domainId === null) return { button: <span className={styles.delisted}>No longer listed</span> };
  return {
    button: (
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Evidence
        <VisuallyHidden> against {domain}</VisuallyHidden>
        <ChevronDown size={14} aria-hidden />
      </button>
    ),
    panel: isOpen && (
      <div id={panelId}>
        <DomainListings id={domainId} />
      </div>
    ),
  };
}

/** One page of harmful backlinks on narrow screens. */
function HarmfulList({ backlinks }: { backlinks: readonly ListedBacklink[] }) {
  return (
    <ul className={styles.list}>
      {backlinks.map((backlink, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an export may have the same page twice, and rows never move
        <HarmfulEntry key={index} backlink={backlink} />
      ))}
    </ul>
  );
}

function HarmfulEntry({ backlink }: { backlink: ListedBacklink }) {
  const evidence = useEvidence(backlink);
  return (
    <li className={styles.entry}>
      <div className={styles.entryHead}>
        <span className={styles.domain} data-mono>
          {backlink.domain}
        </span>
        <RiskBadge level={backlink.riskLevel} />
      </div>
      <div className={styles.page}>
        <ReferringPage page={backlink.referringPage} />
        <LinkFlags backlink={backlink} />
      </div>
      <div>{backlink.reason}</div>
      <div className={styles.source}>{backlink.source}</div>
      <div className={styles.entryEnd}>
        <ConfidenceBadge confidence={backlink.confidence} />
        {evidence.button}
      </div>
      {evidence.panel && <div className={styles.evidence}>{evidence.panel}</div>}
    </li>
  );
}
