import { Skeleton, VisuallyHidden } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { Suspense, useId } from 'react';
import type { ToxicDomain, ToxicDomainColumn, ToxicDomainSort } from '#shared/reports/reports.ts';
import { ConfidenceBadge, RiskBadge, SourceCount } from '../../../blacklist/domains/domains.tsx';
import { formatCount, plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { DateText } from '../../../ui/date-text.tsx';
import type { Selection } from '../../../ui/selection.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { DecisionButtons, decisionLabels } from '../../decisions/decisions.tsx';
import styles from './domain-list.module.css';
import { LiveStatus } from './live-status.tsx';
import { stateLabels } from './review-filters.tsx';
import type { ReportScreen } from './screen.ts';
import { defaultSort } from './search.ts';
import { signalTexts } from './signal-texts.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

const DomainPanel = lazyPart(() => import('./domain-panel.tsx'), 'DomainPanel');

interface DomainListProps {
  screen: ReportScreen;
  rows: readonly ToxicDomain[];
  /** Whether the rows belong to the previous query, while the current one loads. */
  isStale: boolean;
  /** The names of the selected domains. */
  selection: Selection<string>;
  onSelect(selection: Selection<string>): void;
  /** Undefined if the list is read-only. */
  decisions: ReportDecisions | undefined;
}

/** A page of listed domains. An open one shows its links and its evidence. */
export function DomainList({ screen, rows, isStale, selection, onSelect, decisions }: DomainListProps) {
  const { search, show, go } = screen;
  const hasLive = search.live !== undefined || search.sort?.startsWith('live') || rows.some(({ live }) => live);
  const [by, direction] = (search.sort ?? defaultSort).split('-') as [ToxicDomainColumn, 'asc' | 'desc' | undefined];
  const nameColumn: Column<ToxicDomain, ToxicDomainColumn> = {
    name: 'Domain',
    sort: 'domain',
    onCard: 'title',
    cell: (row) => (
      <DomainName
        row={row}
        isOpen={search.open === row.domain}
        onToggle={(open) => void go({ open: open ? row.domain : undefined }, { replace: true })}
      />
    ),
  };
  const decisionColumn: Column<ToxicDomain, ToxicDomainColumn> = decisions
    ? {
        name: 'Decision',
        width: '228px',
        onCard: 'actions',
        cell: (row) => <DecisionButtons row={row} onDecide={(decision) => decisions.decide([row], decision)} />,
      }
    : { ...printedDecision, width: '120px' };
  return (
    <Table
      label="Toxic domains"
      isMain
      columns={[nameColumn, ...(hasLive ? columnsWithLive : columns), decisionColumn]}
      rows={rows}
      getRowKey={({ domain }) => domain}
      isStale={isStale}
      sorted={direction && { by, direction: direction === 'asc' ? 'ascending' : 'descending' }}
      onSort={(column) => void show({ sort: nextSort(column, column === by ? direction : undefined) })}
      selection={decisions && { selected: selection, onSelect, nameOf: ({ domain }) => domain }}
      renderBelow={(row) =>
        search.open === row.domain && (
          <div id={panelId(row)}>
            <Suspense fallback={<Skeleton height={160} radius="md" data-waiting />}>
              <DomainPanel row={row} screen={screen} decisions={decisions} />
            </Suspense>
          </div>
        )
      }
    />
  );
}

const panelId = ({ domain }: ToxicDomain) => `panel-${domain}`;

const liveColumn: Column<ToxicDomain, ToxicDomainColumn> = {
  name: 'Live',
  sort: 'live',
  width: '178px',
  onCard: 'number',
  hasValue: ({ live }) => live !== null,
  cell: ({ live }) => live && <LiveStatus live={live} />,
};

/** The columns between the name and the decision. */
const columns: (Column<ToxicDomain, ToxicDomainColumn> & { isPrinted?: true })[] = [
  {
    name: 'Risk',
    sort: 'risk',
    width: '152px',
    onCard: 'mark',
    isPrinted: true,
    cell: ({ riskLevel }) => <RiskBadge level={riskLevel} />,
  },
  {
    name: 'Confidence',
    sort: 'confidence',
    width: '118px',
    onCard: 'mark',
    isPrinted: true,
    cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} />,
  },
  {
    name: 'Sources',
    sort: 'sources',
    width: '136px',
    onCard: 'number',
    cell: (row) => <SourceCount {...row} />,
  },
  {
    name: 'Links',
    sort: 'backlinks',
    width: '96px',
    onCard: 'number',
    isNumber: true,
    isPrinted: true,
    cell: (row) => <LinkCount row={row} />,
  },
  {
    name: 'First seen',
    sort: 'firstSeen',
    width: '122px',
    onCard: 'number',
    isPrinted: true,
    hasValue: ({ firstSeen }) => firstSeen !== null,
    cell: ({ firstSeen }) => <DateText value={firstSeen} />,
  },
];

/** After a check of the links, their state takes the place of the date from the export. */
const columnsWithLive = columns.map((column) => (column.sort === 'firstSeen' ? liveColumn : column));

/** The owner's decision, for readers of a shared report and on paper. */
const printedDecision: Column<ToxicDomain, ToxicDomainColumn> = {
  name: 'Decision',
  cell: ({ decision }) => (
    <span className={styles.decision} data-decision={decision ?? undefined}>
      {decision ? decisionLabels[decision] : stateLabels.undecided}
    </span>
  ),
};

/** Listed domains on paper, without the notes of the owner. */
export function PrintedDomainTable({ rows }: { rows: readonly ToxicDomain[] }) {
  const nameColumn: Column<ToxicDomain, ToxicDomainColumn> = {
    name: 'Domain',
    cell: ({ domain, isNew }) => (
      <>
        <span data-mono>{domain}</span>
        {isNew && ' (new)'}
      </>
    ),
  };
  return (
    <Table
      label="Toxic domains"
      isFramed={false}
      columns={[
        nameColumn,
        // The widths of a screen would leave no room for the names.
        ...columns.filter(({ isPrinted }) => isPrinted).map(({ width: _, ...column }) => column),
        printedDecision,
      ]}
      rows={rows}
      getRowKey={({ domain }) => domain}
    />
  );
}

/**
 * A first click sorts numbers and dates from the highest on, and names from A; a third one restores the review order.
 */
function nextSort(by: ToxicDomainColumn, direction: 'asc' | 'desc' | undefined): ToxicDomainSort | undefined {
  const first = by === 'domain' || by === 'firstSeen' || by === 'live' ? 'asc' : 'desc';
  if (!direction) return `${by}-${first}`;
  return direction === first ? `${by}-${first === 'asc' ? 'desc' : 'asc'}` : undefined;
}

interface DomainNameProps {
  row: ToxicDomain;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

/** The name of a domain, which opens its links, and what is special about it. */
function DomainName({ row, isOpen, onToggle }: DomainNameProps) {
  const note = useId();
  const patterns = row.signals.map((signal) => signalTexts[signal].name.toLowerCase()).join(', ');
  return (
    <>
      <button
        type="button"
        className={styles.name}
        data-row={row.domain}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId(row) : undefined}
        aria-describedby={row.note ? note : undefined}
        onClick={() => onToggle(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={styles.chevron} />
        <span data-mono className={styles.text}>
          {row.domain}
        </span>
        {row.isNew && <span className={styles.new}>New</span>}
        {row.signals.length > 0 && (
          <span className={styles.patterns} title={patterns}>
            {plural(row.signals.length, 'pattern')}
            <VisuallyHidden>: {patterns}</VisuallyHidden>
          </span>
        )}
      </button>
      {row.note && (
        <div id={note} className={styles.note} title={row.note} dir="auto">
          {row.note}
        </div>
      )}
    </>
  );
}

/** The number of links, and whether the export marks all or some of them as nofollow. */
function LinkCount({ row: { backlinks, nofollowBacklinks } }: { row: ToxicDomain }) {
  return (
    <>
      {formatCount(backlinks)}
      {nofollowBacklinks > 0 && (
        <span className={styles.nofollow}>
          {nofollowBacklinks >= backlinks ? 'nofollow' : `${formatCount(nofollowBacklinks)} nofollow`}
        </span>
      )}
    </>
  );
}
