import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { Source } from '#shared/blacklist/sources.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import screen from '../../ui/screen.module.css';
import { TextLink } from '../../ui/screen.tsx';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import { kindMeanings, kindOptions } from './kinds.ts';
import { kindLabels } from './listings.tsx';
import { sourcesQuery } from './queries.ts';
import type { SourcesSearch } from './search.ts';
import { type Change, ChangeDialog, MergeDialog, RenameDialog } from './source-dialogs.tsx';
import styles from './sources.module.css';

const filterOptions = [{ value: '', label: 'All kinds' }, ...kindOptions];

interface SourcesTabProps {
  search: SourcesSearch;
  show(patch: Partial<SourcesSearch>): void;
  goToPage(page: number): Promise<void>;
}

/** The list of sources, with actions to change, rename and merge them. */
export function SourcesTab({ search: params, show, goToPage }: SourcesTabProps) {
  const { search, kind, page = 1 } = params;
  const sources = useQuery(sourcesQuery({ ...(search && { search }), ...(kind && { kind }), page: page - 1 }));
  const [change, setChange] = useState<Change>();
  const [renamed, setRenamed] = useState<Source>();
  const [merged, setMerged] = useState<Source>();
  return (
    <>
      <div className={styles.bar}>
        <ListSearch label="Search sources" value={search} maxLength={100} onApply={(next) => show({ search: next })} />
        <SelectField
          aria-label="Filter by kind"
          options={filterOptions}
          value={kind ?? ''}
          onChange={(next) => show({ kind: sourceKinds.find((one) => one === next) })}
        />
      </div>
      <details className={styles.kinds}>
        <summary>What the kinds mean, strongest first</summary>
        <dl>
          {sourceKinds.map((one) => (
            <div key={one}>
              <dt>{kindLabels[one]}</dt>
              <dd>{kindMeanings[one]}</dd>
            </div>
          ))}
        </dl>
      </details>
      <QueryTable
        label="Sources"
        pagesLabel="Pages of sources"
        columns={getColumns({ onChange: setChange, onRename: setRenamed, onMerge: setMerged })}
        query={sources}
        getRows={(response) => response.sources}
        getRowKey={({ id }) => id}
        page={page}
        onPage={goToPage}
        empty={
          search || kind ? (
            <EmptyState title="No sources found" description="Try another name or kind.">
              <Button variant="default" onClick={() => show({ search: undefined, kind: undefined })}>
                Show all sources
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No sources yet" description="Sources appear here when you import or add domains." />
          )
        }
      />
      <ChangeDialog change={change} onClose={() => setChange(undefined)} />
      <RenameDialog source={renamed} onClose={() => setRenamed(undefined)} />
      <MergeDialog source={merged} onClose={() => setMerged(undefined)} />
    </>
  );
}

interface Handlers {
  onChange(change: Change): void;
  onRename(source: Source): void;
  onMerge(source: Source): void;
}

function getColumns({ onChange, onRename, onMerge }: Handlers): Column<Source>[] {
  return [
    { name: 'Name', onCard: 'title', cell: ({ name }) => <Breakable>{name}</Breakable> },
    {
      name: 'Kind',
      width: 'clamp(150px, 15.6vw, 200px)',
      cell: (source) => (
        <SelectField
          aria-label={`Kind of ${source.name}`}
          size="xs"
          options={kindOptions}
          value={source.kind}
          onChange={(next) => {
            const kind = sourceKinds.find((one) => one === next);
            if (kind && kind !== source.kind) onChange({ source, kind });
          }}
        />
      ),
    },
    { name: 'Family', width: '12%', cell: (source) => <FamilyOf source={source} /> },
    {
      name: 'Domains',
      width: '88px',
      isNumber: true,
      cell: ({ name, domains }) =>
        domains === 0 ? (
          '0'
        ) : (
          <TextLink
            to={paths.domains}
            search={{ source: name }}
            size="sm"
            aria-label={`${formatCount(domains)} domains of ${name}`}
          >
            {formatCount(domains)}
          </TextLink>
        ),
    },
    { name: 'First seen', width: '118px', cell: ({ firstSeen }) => <Seen value={firstSeen} /> },
    { name: 'Last seen', width: '118px', cell: ({ lastSeen }) => <Seen value={lastSeen} /> },
    {
      name: 'Public',
      width: '80px',
      cell: (source) => (
        <Switch
          aria-label={`Everyone sees the name ${source.name}`}
          checked={source.isPublic}
          onChange={() => onChange({ source, isPublic: !source.isPublic })}
        />
      ),
    },
    {
      name: 'Actions',
      // The buttons are below each other on screens where the names would have no room.
      width: 'clamp(144px, 40vw - 268px, 244px)',
      onCard: 'actions',
      cell: (source) => (
        <div className={screen.actions}>
          <Button size="xs" variant="default" aria-label={`Rename ${source.name}`} onClick={() => onRename(source)}>
            Rename
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Merge into… from ${source.name}`}
            onClick={() => onMerge(source)}
          >
            Merge into…
          </Button>
        </div>
      ),
    },
  ];
}

function FamilyOf({ source: { family } }: { source: Source }) {
  if (!family) return <span data-quiet>None</span>;
  return (
    <TextLink to={paths.adminSources} search={{ tab: 'families' }} size="sm">
      <Breakable>{family.name}</Breakable>
    </TextLink>
  );
}

function Seen({ value }: { value: string | null }) {
  return value ? <DateText value={value} /> : <span data-quiet>Never</span>;
}
