import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Source } from '#shared/blacklist/sources.ts';
import { plural } from '../../platform/format.ts';
import { selectLook } from '../../ui/fields.tsx';
import { sourcesQuery } from './queries.ts';
import styles from './sources.module.css';

interface SourceSelectProps {
  label: string;
  /** The ids of sources that cannot be selected. */
  exclude: readonly number[];
  value: Source | undefined;
  onChange(source: Source | undefined): void;
}

/** A select that finds sources on the server by a part of their name. */
export function SourceSelect({ label, exclude, value, onChange }: SourceSelectProps) {
  const [typed, setTyped] = useState('');
  const isChosen = typed === (value && optionLabel(value));
  const search = isChosen ? '' : typed.trim().slice(0, 100);
  const { data } = useQuery(sourcesQuery({ ...(search && { search }), pageSize: 50 }));
  const found = (data?.sources ?? []).filter(({ id }) => !exclude.includes(id));
  const sources = value && found.every(({ id }) => id !== value.id) ? [value, ...found] : found;
  return (
    <Select
      {...selectLook}
      label={label}
      placeholder="Search sources"
      data={sources.map((source) => ({ value: String(source.id), label: optionLabel(source) }))}
      value={value ? String(value.id) : null}
      onChange={(next) => onChange(sources.find(({ id }) => String(id) === next))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
      classNames={{ options: styles.options }}
      nothingFoundMessage="No matches"
      data-autofocus
    />
  );
}

const optionLabel = ({ name, domains }: Source) => `${name} (${plural(domains, 'domain')})`;
