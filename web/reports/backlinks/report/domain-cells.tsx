import { Skeleton, VisuallyHidden } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, Suspense, useId } from 'react';
import type { ToxicDomain } from '#shared/reports/reports.ts';
import type { Signal } from '#shared/reports/signals.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { Checkbox } from '../../../ui/fields.tsx';
import type { Selection } from '../../../ui/selection.ts';
import { decisionLabels } from '../../decisions/decisions.tsx';
import styles from './domain-list.module.css';
import type { DomainPanelProps } from './domain-panel.tsx';
import { stateLabels } from './review-filters.tsx';
import type { ReportScreen } from './screen.ts';
import { signalTexts } from './signal-texts.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

/** One page of listed domains, for the table and for the cards. */
export interface DomainListProps {
  screen: ReportScreen;
  rows: readonly ToxicDomain[];
  /** Whether the rows belong to the previous query, while the current one loads. */
  isStale: boolean;
  onOpen(row: ToxicDomain): void;
  /** Undefined if the list is read-only. */
  review: (SelectProps & { decisions: ReportDecisions }) | undefined;
}

/** The id of the element that an open domain shows. */
export const panelId = ({ domain }: ToxicDomain) => `panel-${domain}`;

interface DomainCellProps {
  row: ToxicDomain;
  isOpen: boolean;
  onOpen(row: ToxicDomain): void;
  /** Shows the number of patterns. A card has them below the name, which needs the space. */
  hasPatterns?: boolean;
}

/** The name of a domain, which opens its links, and what is special about it. */
export function DomainCell({ row, isOpen, onOpen, hasPatterns = false }: DomainCellProps) {
  const note = useId();
  return (
    <div className={styles.domain}>
      <button
        type="button"
        className={styles.name}
        data-row={row.domain}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId(row) : undefined}
        aria-describedby={row.note ? note : undefined}
        onClick={() => onOpen(row)}
      >
        <ChevronRight size={14} aria-hidden className={styles.chevron} />
        <span data-mono className={styles.text}>
          {row.domain}
        </span>
        {row.isNew && <span className={styles.new}>New</span>}
        {hasPatterns && row.signals.length > 0 && <Patterns signals={row.signals} />}
      </button>
      {row.note && (
        <div id={note} className={styles.note} title={row.note} dir="auto">
          {row.note}
        </div>
      )}
    </div>
  );
}

const DomainPanel = lazyPart(async () => (await import('./domain-panel.tsx')).DomainPanel);

/** What an open domain shows. Its code loads with the first one. */
export function OpenDomain(props: DomainPanelProps) {
  return (
    <Suspense fallback={<Skeleton height={160} radius="md" data-waiting />}>
      <DomainPanel {...props} />
    </Suspense>
  );
}

/** How many patterns of the export a domain shows. */
export function Patterns({ signals }: { signals: readonly Signal[] }) {
  const names = signals.map((signal) => signalTexts[signal].name.toLowerCase()).join(', ');
  return (
    <span className={styles.patterns} title={names}>
      {plural(signals.length, 'pattern')}
      <VisuallyHidden>: {names}</VisuallyHidden>
    </span>
  );
}

/** The number of links, and whether the export marks all or some of them as nofollow. */
export function LinkCount({
  row: { backlinks, nofollowBacklinks },
  hasUnit = false,
}: {
  row: ToxicDomain;
  hasUnit?: boolean;
}) {
  const text =
    nofollowBacklinks === 0
      ? ''
      : nofollowBacklinks >= backlinks
        ? 'nofollow'
        : `${formatCount(nofollowBacklinks)} nofollow`;
  return (
    <>
      {hasUnit ? plural(backlinks, 'link') : formatCount(backlinks)}
      {text && <span className={styles.nofollow}>{text}</span>}
    </>
  );
}

/** The owner's decision, for readers of a shared report. */
export function DecisionText({ row: { decision } }: { row: ToxicDomain }) {
  return (
    <span className={styles.decisionText} data-decision={decision ?? undefined}>
      {decision ? decisionLabels[decision] : stateLabels.undecided}
    </span>
  );
}

interface SelectProps {
  /** The names of the selected domains. */
  selection: Selection<string>;
  onSelect(selection: Selection<string>): void;
}

/** Selects all domains of the page, or none. */
export function SelectPage({
  rows,
  selection,
  onSelect,
  label,
}: SelectProps & { rows: readonly ToxicDomain[]; label?: string }): ReactNode {
  const areAllSelected = rows.every(({ domain }) => selection.has(domain));
  return (
    <Checkbox
      {...(label ? { label } : { 'aria-label': 'Select all domains on this page' })}
      checked={areAllSelected}
      indeterminate={selection.size > 0 && !areAllSelected}
      onChange={() => onSelect(new Set(areAllSelected ? [] : rows.map(({ domain }) => domain)))}
    />
  );
}

export function SelectRow({ row, selection, onSelect }: SelectProps & { row: ToxicDomain }) {
  return (
    <Checkbox
      aria-label={`Select ${row.domain}`}
      checked={selection.has(row.domain)}
      onChange={(event) => {
        const next = new Set(selection);
        if (event.currentTarget.checked) next.add(row.domain);
        else next.delete(row.domain);
        onSelect(next);
      }}
    />
  );
}
