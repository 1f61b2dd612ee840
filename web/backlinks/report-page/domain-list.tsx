import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ArrowDown, ArrowUp, ChevronRight, ChevronsUpDown } from 'lucide-react';
import { Fragment, type ReactNode, useId } from 'react';
import { decisions as allDecisions } from '#shared/decisions.ts';
import type { ToxicDomain, ToxicDomainColumn } from '#shared/reports.ts';
import type { Signal } from '#shared/signals.ts';
import { ConfidenceBadge, RiskBadge } from '../../domains/domains.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import styles from './domain-list.module.css';
import { DomainPanel } from './domain-panel.tsx';
import type { Selection } from './review.tsx';
import { stateLabels } from './review-filters.tsx';
import type { ReportScreen } from './screen.ts';
import { defaultSort } from './search.ts';
import { signalTexts } from './signal-texts.ts';
import { type Decisions, decisionLabels, decisionMeanings } from './use-decisions.ts';

interface DomainListProps {
  screen: ReportScreen;
  rows: readonly ToxicDomain[];
  /** Whether the rows belong to the previous query, while the current one loads. */
  isStale: boolean;
  onOpen(row: ToxicDomain): void;
  /** Undefined if the list is read-only. */
  review: (SelectProps & { decisions: Decisions }) | undefined;
}

/** One page of listed domains, as a table or as cards. An open domain shows its links and its evidence. */
export function DomainList(props: DomainListProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  return isNarrow ? <DomainCards {...props} /> : <DomainTable {...props} />;
}

const columns: { id: ToxicDomainColumn; name: string; width?: number; isNumber?: true }[] = [
  { id: 'domain', name: 'Domain' },
  { id: 'risk', name: 'Risk', width: 152 },
  { id: 'confidence', name: 'Confidence', width: 118 },
  { id: 'sources', name: 'Sources', width: 88, isNumber: true },
  { id: 'backlinks', name: 'Links', width: 96, isNumber: true },
  { id: 'firstSeen', name: 'First seen', width: 122 },
];

function DomainTable(props: DomainListProps) {
  const { screen, rows, isStale, review } = props;
  const sort = screen.search.sort ?? defaultSort;
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Toxic domains" data-stale={isStale || undefined} aria-busy={isStale}>
        <colgroup>
          {review && <col style={{ width: 42 }} />}
          {columns.map(({ id, width }) => (
            <col key={id} style={{ width }} />
          ))}
          <col style={{ width: review ? 228 : 120 }} />
        </colgroup>
        <thead>
          <tr>
            {review && (
              <th scope="col">
                <SelectPage rows={rows} {...review} />
              </th>
            )}
            {columns.map(({ id, name, isNumber }) => {
              const direction = sort === `${id}-asc` ? 'ascending' : sort === `${id}-desc` ? 'descending' : undefined;
              const Arrow =
                direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
              return (
                <th key={id} scope="col" data-number={isNumber} aria-sort={direction ?? 'none'}>
                  <button
                    type="button"
                    className={styles.sort}
                    onClick={() => void screen.show({ sort: nextSort(id, direction) })}
                  >
                    {name}
                    <Arrow size={14} aria-hidden />
                  </button>
                </th>
              );
            })}
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const isOpen = screen.search.open === row.domain;
            return (
              <Fragment key={row.domain}>
                <tr
                  data-selected={review?.selection.has(row.domain) || undefined}
                  data-decision={row.decision ?? undefined}
                >
                  {review && (
                    <td>
                      <SelectRow row={row} {...review} />
                    </td>
                  )}
                  <td>
                    <DomainCell row={row} isOpen={isOpen} onOpen={props.onOpen} hasPatterns />
                  </td>
                  <td>
                    <RiskBadge level={row.riskLevel} />
                  </td>
                  <td>
                    <ConfidenceBadge confidence={row.confidence} />
                  </td>
                  <td data-number>{formatCount(row.independentSourceCount)}</td>
                  <td data-number>
                    <LinkCount row={row} />
                  </td>
                  <td>
                    <DateText value={row.firstSeen} />
                  </td>
                  <td>
                    {review ? <DecisionButtons row={row} decisions={review.decisions} /> : <DecisionText row={row} />}
                  </td>
                </tr>
                {isOpen && (
                  <tr className={styles.panelRow}>
                    <td colSpan={columns.length + (review ? 2 : 1)} id={panelId(row)}>
                      <DomainPanel row={row} screen={screen} decisions={review?.decisions} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A first click sorts numbers and dates from the highest on, and names from A; a third one restores the review order. */
function nextSort(id: ToxicDomainColumn, direction: 'ascending' | 'descending' | undefined) {
  const first = id === 'domain' || id === 'firstSeen' ? 'ascending' : 'descending';
  if (!direction) return `${id}-${first === 'ascending' ? 'asc' : 'desc'}` as const;
  if (direction !== first) return undefined;
  return `${id}-${first === 'ascending' ? 'desc' : 'asc'}` as const;
}

function DomainCards(props: DomainListProps) {
  const { screen, rows, isStale, review } = props;
  return (
    <>
      {review && (
        <div className={styles.selectAll}>
          <SelectPage rows={rows} {...review} label="Select all on this page" />
        </div>
      )}
      <ul className={styles.cards} aria-label="Toxic domains" data-stale={isStale || undefined}>
        {rows.map((row) => {
          const isOpen = screen.search.open === row.domain;
          return (
            <li key={row.domain} data-decision={row.decision ?? undefined}>
              <div className={styles.cardHead}>
                {review && <SelectRow row={row} {...review} />}
                <DomainCell row={row} isOpen={isOpen} onOpen={props.onOpen} />
                <RiskBadge level={row.riskLevel} />
              </div>
              <div className={styles.cardFacts}>
                <ConfidenceBadge confidence={row.confidence} />
                <span>{plural(row.independentSourceCount, 'independent source')}</span>
                <span>
                  <LinkCount row={row} hasUnit />
                </span>
                {row.signals.length > 0 && <Patterns signals={row.signals} />}
                {row.firstSeen && (
                  <span>
                    First seen <DateText value={row.firstSeen} />
                  </span>
                )}
              </div>
              {review ? <DecisionButtons row={row} decisions={review.decisions} /> : <DecisionText row={row} />}
              {isOpen && (
                <div className={styles.cardPanel} id={panelId(row)}>
                  <DomainPanel row={row} screen={screen} decisions={review?.decisions} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const panelId = ({ domain }: ToxicDomain) => `panel-${domain}`;

interface DomainCellProps {
  row: ToxicDomain;
  isOpen: boolean;
  onOpen(row: ToxicDomain): void;
  /** Shows the number of patterns. A card has them below the name, which needs the space. */
  hasPatterns?: boolean;
}

/** The name of a domain, which opens its links, and what is special about it. */
function DomainCell({ row, isOpen, onOpen, hasPatterns = false }: DomainCellProps) {
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

/** How many patterns of the export a domain shows. */
function Patterns({ signals }: { signals: readonly Signal[] }) {
  const names = signals.map((signal) => signalTexts[signal].name.toLowerCase()).join(', ');
  return (
    <span className={styles.patterns} title={names}>
      {plural(signals.length, 'pattern')}
      <VisuallyHidden>: {names}</VisuallyHidden>
    </span>
  );
}

/** The number of links, and whether the export marks all or some of them as nofollow. */
function LinkCount({
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
function DecisionText({ row: { decision } }: { row: ToxicDomain }) {
  return (
    <span className={styles.decisionText} data-decision={decision ?? undefined}>
      {decision ? decisionLabels[decision] : stateLabels.undecided}
    </span>
  );
}

/** The three decisions. Pressing the current one removes it. */
function DecisionButtons({ row, decisions }: { row: ToxicDomain; decisions: Decisions }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.decisions} role="group" aria-label={`Decision about ${row.domain}`}>
      {allDecisions.map((decision) => (
        <button
          key={decision}
          type="button"
          className={styles.decision}
          data-decision={decision}
          aria-pressed={row.decision === decision}
          title={decisionMeanings[decision]}
          onClick={() => decisions.decide([row], row.decision === decision ? null : decision)}
        >
          {decisionLabels[decision]}
        </button>
      ))}
    </div>
  );
}

interface SelectProps {
  selection: Selection;
  onSelect(selection: Selection): void;
}

function SelectPage({
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

function SelectRow({ row, selection, onSelect }: SelectProps & { row: ToxicDomain }) {
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
