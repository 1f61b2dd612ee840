import '../../ui/more-styles.ts';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Confidence, confidences, type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { useDraft } from '../../platform/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { selectLook } from '../../ui/fields.tsx';
import styles from './advanced-filters.module.css';
import { confidenceLabels, riskLabels } from './domains.tsx';
import { nichesQuery, sourcesQuery, tldsQuery } from './queries.ts';
import { type advancedFilterKeys, type DomainsScreen, type DomainsSearch, noFilter, noFilterValue } from './search.ts';

type Advanced = Pick<DomainsSearch, (typeof advancedFilterKeys)[number]>;

const riskOptions = [
  { value: noFilterValue.riskLevel, label: 'All risk levels' },
  ...riskLevels.map((level) => ({ value: level, label: `${riskLabels[level]} Risk` })),
];

const confidenceOptions = [
  { value: noFilterValue.confidence, label: 'Any' },
  ...confidences.toReversed().map((confidence) => ({ value: confidence, label: confidenceLabels[confidence] })),
];

/**
 * Filters for TLD, date, source, niche, risk and confidence. They apply after a short delay, or at once with 'Apply
 * filters'.
 */
export function AdvancedFilters({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const { tld, dateAdded, source, niche, riskLevel, confidence } = screen.search;
  const draft = useDraft<Advanced>({ tld, dateAdded, source, niche, riskLevel, confidence }, (next) =>
    screen.show(next),
  );
  const change = (patch: Partial<Advanced>) => draft.change({ ...draft.value, ...patch });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.apply();
  };

  return (
    <form className={styles.panel} onSubmit={submit} aria-label="Advanced filters">
      <FacetFilter
        label="TLD"
        all={{ value: noFilterValue.tld, label: 'All TLDs' }}
        query={tldsQuery}
        labelOf={(tld) => `.${tld}`}
        value={draft.value.tld}
        onChange={(next) => change({ tld: next })}
      />
      <TextInput
        type="date"
        label="Added after"
        min="1990-01-01"
        max="9999-12-31"
        value={draft.value.dateAdded ?? ''}
        onChange={(event) => change({ dateAdded: event.currentTarget.value || undefined })}
      />
      {isAdmin && (
        <FacetFilter
          label="Source"
          all={{ value: noFilterValue.source, label: 'All sources' }}
          query={sourcesQuery}
          whenEmpty={[{ value: 'no-sources', label: 'No sources available', disabled: true }]}
          value={draft.value.source}
          onChange={(next) => change({ source: next })}
        />
      )}
      <FacetFilter
        label="Niche"
        all={{ value: noFilterValue.niche, label: 'All niches' }}
        query={nichesQuery}
        value={draft.value.niche}
        onChange={(next) => change({ niche: next })}
      />
      <Select
        {...selectLook}
        label="Risk level"
        data={riskOptions}
        value={draft.value.riskLevel ?? noFilterValue.riskLevel}
        allowDeselect={false}
        onChange={(value) =>
          change({
            riskLevel: value === noFilterValue.riskLevel ? undefined : ((value ?? undefined) as RiskLevel | undefined),
          })
        }
      />
      <Select
        {...selectLook}
        label="Confidence"
        data={confidenceOptions}
        value={draft.value.confidence ?? noFilterValue.confidence}
        allowDeselect={false}
        onChange={(value) =>
          change({
            confidence:
              value === noFilterValue.confidence ? undefined : ((value ?? undefined) as Confidence | undefined),
          })
        }
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="light">
          Apply filters
        </Button>
        <Button variant="default" onClick={() => screen.show({ ...noFilter, sort: undefined })}>
          Reset filters
        </Button>
      </div>
    </form>
  );
}

interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

interface FacetFilterProps {
  label: string;
  /** The first option, which means no filter. */
  all: Option;
  query: typeof tldsQuery;
  labelOf?(value: string): string;
  /** The options to show when there are no values. */
  whenEmpty?: Option[];
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A searchable select with the values that occur on the blacklist. */
function FacetFilter({ label, all, query, labelOf = String, whenEmpty = [], value, onChange }: FacetFilterProps) {
  const { data: values } = useQuery(query);
  const found = (values ?? []).map((name) => ({ value: name, label: labelOf(name) }));
  const options: Option[] = values?.length === 0 ? whenEmpty : found;
  const isKnown = value === undefined || options.some((option) => option.value === value);
  const data = isKnown ? [all, ...options] : [all, { value, label: value }, ...options];
  return (
    <Select
      {...selectLook}
      label={label}
      data={data}
      value={value ?? all.value}
      allowDeselect={false}
      searchable
      limit={200}
      // Without a portal and a scroll area, screen reader users can reach the list within the page's landmarks.
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No matches"
      onChange={(next) => onChange(next === null || next === all.value ? undefined : next)}
    />
  );
}
