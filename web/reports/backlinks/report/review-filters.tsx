import type { ReactNode } from 'react';
import { confidences, riskLevels } from '#shared/blacklist/domains.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import type { ReviewState } from '#shared/reports/reports.ts';
import { confidenceLabels, riskLabels } from '../../../blacklist/domains/domains.tsx';
import { formatCount } from '../../../platform/format.ts';
import { SelectField } from '../../../ui/fields.tsx';
import chips from '../../../ui/filter-chips.module.css';
import { FilterChips } from '../../../ui/filter-chips.tsx';
import { ListSearch } from '../../../ui/list-search.tsx';
import { useMaxWidth } from '../../../ui/use-max-width.ts';
import { decisionLabels } from '../../decisions/decisions.tsx';
import { liveFilterTexts } from './live-texts.ts';
import { IncludeLost } from './report-figures.tsx';
import styles from './review.module.css';
import type { ReportScreen } from './screen.ts';
import { isFiltered, noFilter, type ReportSearch } from './search.ts';
import { signalTexts } from './signal-texts.ts';

const riskOptions = [
  { value: '', label: 'All risk levels' },
  ...riskLevels.toReversed().map((level) => ({ value: level, label: `${riskLabels[level]} Risk` })),
];
const confidenceOptions = [
  { value: '', label: 'All confidence levels' },
  ...confidences.toReversed().map((level) => ({ value: level, label: confidenceLabels[level] })),
];

/** The labels of decisions and of domains without one. */
export const stateLabels: Record<ReviewState, string> = { undecided: 'To review', ...decisionLabels };

interface ReviewFiltersProps {
  screen: ReportScreen;
  report: Pick<SharedReport, 'overview' | 'lostBacklinks'>;
  /** Beside the decisions. */
  help: ReactNode;
  /** Shown with the filters of a phone. */
  liveResults: ReactNode;
}

/** The filters of the list: by decision, risk and confidence, a search, and chips for values of the charts. */
export function ReviewFilters({ screen, report, help, liveResults }: ReviewFiltersProps) {
  const { search, show } = screen;
  const { overview } = report;
  const isPhone = useMaxWidth('phone');
  const { decisionCounts, previous } = overview;
  const removeFilter = (change: Partial<ReportSearch>) => {
    // The pressed button disappears with its filter.
    document.getElementById('domains')?.focus({ preventScroll: true });
    void show(change);
  };
  const states = [
    {
      label: 'All',
      count: overview.domains,
      change: { decision: undefined, only: undefined },
      isCurrent: !search.decision && !search.only,
    },
    ...(previous
      ? [
          {
            label: 'New',
            count: previous.newDomains,
            change: { decision: undefined, only: 'new' as const },
            isCurrent: search.only === 'new',
          },
        ]
      : []),
    ...(['undecided', 'keep', 'remove', 'disavow'] as const).map((decision) => ({
      label: stateLabels[decision],
      count: decisionCounts[decision],
      change: { decision, only: undefined },
      isCurrent: search.decision === decision,
    })),
  ];
  const fields = (
    <div className={styles.fields}>
      <ListSearch
        label="Search domains"
        value={search.search}
        maxLength={253}
        onApply={(text) => void show({ search: text })}
      />
      <RiskSelect screen={screen} />
      <SelectField
        aria-label="Confidence"
        options={confidenceOptions}
        value={search.confidence ?? ''}
        onChange={(value) => void show({ confidence: confidences.find((level) => level === value) })}
      />
      <IncludeLost screen={screen} report={report} />
    </div>
  );
  return (
    <div className={styles.filters}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className={styles.states} role="group" aria-label="Filter by decision">
        {states.map(({ label, count, change, isCurrent }) => (
          <button
            key={label}
            type="button"
            className={chips.toggle}
            aria-pressed={isCurrent}
            onClick={() => void show(change)}
          >
            {label} <span className={chips.count}>{formatCount(count)}</span>
          </button>
        ))}
      </div>
      {help}
      {isPhone ? (
        <details className={styles.help}>
          <summary>Search and filter</summary>
          {fields}
          {liveResults}
        </details>
      ) : (
        fields
      )}
      {isFiltered(search) && (
        <FilterChips
          filters={listChips(search)}
          onRemove={(name) => removeFilter({ [name]: undefined })}
          onClear={() => removeFilter(noFilter)}
        />
      )}
    </div>
  );
}

/** Chooses the risk level of the list. */
export function RiskSelect({ screen: { search, show } }: { screen: ReportScreen }) {
  return (
    <SelectField
      aria-label="Risk level"
      options={riskOptions}
      value={search.riskLevel ?? ''}
      onChange={(value) => void show({ riskLevel: riskLevels.find((level) => level === value) })}
    />
  );
}

/** Describes the active filters, each with its parameter. */
export function listChips(filter: ReportSearch): { name: keyof typeof noFilter; text: string }[] {
  const { search, riskLevel, confidence, niche, tld, decision, only, signal, live } = filter;
  const texts: Record<keyof typeof noFilter, string | undefined> = {
    search: search && `Domain contains ${search}`,
    riskLevel: riskLevel && `${riskLabels[riskLevel]} Risk`,
    confidence: confidence && `Confidence: ${confidenceLabels[confidence]}`,
    niche: niche && `Niche: ${niche}`,
    tld: tld && `.${tld}`,
    decision: decision && `Decision: ${stateLabels[decision]}`,
    only: only && 'New since the previous report',
    signal: signal && `Pattern: ${signalTexts[signal].name.toLowerCase()}`,
    live: live && liveFilterTexts[live],
  };
  return (Object.keys(texts) as (keyof typeof noFilter)[]).flatMap((name) => {
    const text = texts[name];
    return text ? [{ name, text }] : [];
  });
}
