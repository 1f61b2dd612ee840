import '../ui/more-styles.ts';
import { type ComboboxData, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import { useDraft } from '../lib/use-draft.ts';
import { Button } from '../ui/button.tsx';
import { selectLook } from '../ui/fields.tsx';
import styles from './advanced-filters.module.css';
import { riskWords } from './domains.tsx';
import { type DomainsScreen, nichesQuery, sourcesQuery, tldsQuery } from './screen.ts';
import { type advancedNames, anyValue, type DomainsSearch } from './search.ts';

type Advanced = Pick<DomainsSearch, (typeof advancedNames)[number]>;

const riskOptions = [
  { value: anyValue.riskLevel, label: 'All risk levels' },
  ...riskLevels.map((level) => ({ value: level, label: `${riskWords[level]} Risk` })),
];

/** TLD, date, source, niche and risk: they apply by themselves after a moment, or at once by 'Apply filters'. */
export function AdvancedFilters({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const { tld, dateAdded, source, niche, riskLevel } = screen.search;
  const draft = useDraft<Advanced>({ tld, dateAdded, source, niche, riskLevel }, (next) => screen.show(next));
  const change = (patch: Partial<Advanced>) => draft.change({ ...draft.value, ...patch });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.apply();
  };

  return (
    <form className={styles.panel} onSubmit={submit} aria-label="Advanced filters">
      <TldFilter value={draft.value.tld} onChange={(next) => change({ tld: next })} />
      <DayFilter value={draft.value.dateAdded} onChange={(next) => change({ dateAdded: next })} />
      {isAdmin && <SourceFilter value={draft.value.source} onChange={(next) => change({ source: next })} />}
      <NicheFilter value={draft.value.niche} onChange={(next) => change({ niche: next })} />
      <Select
        {...selectLook}
        label="Risk level"
        data={riskOptions}
        value={draft.value.riskLevel ?? anyValue.riskLevel}
        allowDeselect={false}
        onChange={(value) =>
          change({
            riskLevel: value === anyValue.riskLevel ? undefined : ((value ?? undefined) as RiskLevel | undefined),
          })
        }
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="light">
          Apply filters
        </Button>
        <Button variant="default" onClick={() => screen.reset()}>
          Reset filters
        </Button>
      </div>
    </form>
  );
}

interface FilterProps {
  value: string | undefined;
  onChange(value: string | undefined): void;
}

function TldFilter({ value, onChange }: FilterProps) {
  const { data } = useQuery(tldsQuery);
  const options = (data ?? []).map((tld) => ({ value: tld, label: `.${tld}` }));
  return (
    <AnyOr
      label="TLD"
      any={{ value: anyValue.tld, label: 'All TLDs' }}
      options={options}
      value={value}
      onChange={onChange}
    />
  );
}

function NicheFilter({ value, onChange }: FilterProps) {
  const { data } = useQuery(nichesQuery);
  return (
    <AnyOr
      label="Niche"
      any={{ value: anyValue.niche, label: 'All niches' }}
      options={named(data)}
      value={value}
      onChange={onChange}
    />
  );
}

function SourceFilter({ value, onChange }: FilterProps) {
  const { data } = useQuery(sourcesQuery);
  const none = [{ value: 'no-sources', label: 'No sources available', disabled: true }];
  return (
    <AnyOr
      label="Source"
      any={{ value: anyValue.source, label: 'All sources' }}
      options={data?.length === 0 ? none : named(data)}
      value={value}
      onChange={onChange}
    />
  );
}

function DayFilter({ value, onChange }: FilterProps) {
  return (
    <TextInput
      type="date"
      label="Added after"
      min="1990-01-01"
      max="9999-12-31"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

interface AnyOrProps extends FilterProps {
  label: string;
  any: { value: string; label: string };
  options: { value: string; label: string; disabled?: boolean }[];
}

/** A searchable select whose first option means no filter. */
function AnyOr({ label, any, options, value, onChange }: AnyOrProps) {
  const known = value === undefined || options.some((option) => option.value === value);
  const data: ComboboxData = known ? [any, ...options] : [any, { value, label: value }, ...options];
  return (
    <Select
      {...selectLook}
      label={label}
      data={data}
      value={value ?? any.value}
      allowDeselect={false}
      searchable
      limit={200}
      // The list itself scrolls, within the page's landmarks: so people who do not see it reach it too.
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
      classNames={{ options: styles.options }}
      nothingFoundMessage="Nothing found"
      onChange={(next) => onChange(next === null || next === any.value ? undefined : next)}
    />
  );
}

function named(names: string[] | undefined) {
  return (names ?? []).map((name) => ({ value: name, label: name }));
}
