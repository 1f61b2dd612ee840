import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BackgroundJob } from '#shared/operations/admin.ts';
import { jobKinds } from '#shared/operations/choices.ts';
import { DateText } from '../../ui/date-text.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { Hint } from '../../ui/typography.ts';
import styles from './panel-list.module.css';
import { jobsQuery, useAdminPanel } from './queries.ts';

const kindLabels: Record<BackgroundJob['kind'], string> = {
  import: 'Import',
  analysis: 'Analysis',
  feed: 'Feed',
  sources: 'Source update',
  maintenance: 'Maintenance',
  mail: 'Email',
  housekeeping: 'Housekeeping',
};

const states: Record<BackgroundJob['state'], { name: string; color: string }> = {
  waiting: { name: 'Waiting', color: 'gray' },
  running: { name: 'Running', color: 'brand' },
  review: { name: 'Needs review', color: 'yellow' },
  completed: { name: 'Completed', color: 'green' },
  failed: { name: 'Failed', color: 'red' },
  cancelled: { name: 'Canceled', color: 'gray' },
};

const options = [
  { value: '', label: 'All except housekeeping' },
  ...jobKinds.map((kind) => ({ value: kind, label: kindLabels[kind] })),
];

const columns: Column<BackgroundJob>[] = [
  {
    name: 'Job',
    width: '124px',
    onCard: 'title',
    cell: ({ kind }) => kindLabels[kind],
  },
  {
    name: 'State',
    width: '142px',
    cell: ({ state }) => <Badge color={states[state].color}>{states[state].name}</Badge>,
  },
  { name: 'Started by', width: '11%', cell: ({ by }) => by ?? <span data-quiet>System</span> },
  { name: 'Created', width: '222px', cell: ({ dateCreated }) => <DateText value={dateCreated} pattern="time" /> },
  { name: 'Duration', width: '96px', isNumber: true, cell: durationText },
  { name: 'Result', cell: ({ message, tries }) => resultText(message, tries) },
];

/** The Jobs screen: the recent background jobs. */
export function JobsTab() {
  const { search, show, goToPage } = useAdminPanel();
  const { kind, jobsPage = 1 } = search;
  const jobs = useQuery(jobsQuery({ ...(kind && { kind }), page: jobsPage - 1 }));
  return (
    <>
      <div className={styles.bar}>
        <SelectField
          className={styles.filter}
          aria-label="Job type"
          options={options}
          value={kind ?? ''}
          onChange={(next) => void show({ kind: jobKinds.find((one) => one === next), jobsPage: undefined })}
        />
      </div>
      <QueryTable
        label="Recent jobs"
        pagesLabel="Pages of jobs"
        columns={columns}
        query={jobs}
        getRows={({ jobs }) => jobs}
        getRowKey={({ id }) => id}
        page={jobsPage}
        onPage={(next, replace) => void goToPage(next, replace, 'jobsPage')}
        empty={<Hint>No recent jobs of this type.</Hint>}
      />
    </>
  );
}

function durationText({ dateStarted, dateFinished }: BackgroundJob): string {
  if (!dateStarted || !dateFinished) return '–';
  const seconds = Math.max(0, Date.parse(dateFinished) - Date.parse(dateStarted)) / 1000;
  if (seconds < 0.1) return '< 0.1s';
  return seconds < 90 ? `${Math.round(seconds * 10) / 10}s` : `${Math.round(seconds / 60)} min`;
}

function resultText(message: string | null, tries: number): string {
  return [message, tries > 1 ? `Tried ${tries} times.` : undefined].filter(Boolean).join(' ') || '–';
}
