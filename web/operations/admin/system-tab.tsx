import { Badge, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { BackgroundJob, SystemInfo } from '#shared/operations/admin.ts';
import { jobKinds } from '#shared/operations/choices.ts';
import { formatBytes, plural } from '../../platform/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import { SelectField } from '../../ui/fields.tsx';
import panel from '../../ui/panel.module.css';
import { QueryTable } from '../../ui/query-table.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { AuditLog, useAuditEvents } from './audit-log.tsx';
import list from './panel-list.module.css';
import { jobsQuery, systemQuery, useAdminPanel } from './queries.ts';
import styles from './system-tab.module.css';

/**
 * The System tab: the audit log, recent jobs, and the server's versions and settings. All appear at once, so that none
 * moves another when it loads.
 */
export function SystemTab() {
  const { hash } = useLocation();
  const events = useAuditEvents();
  const jobs = useJobs();
  const system = useQuery(systemQuery);
  const isWaiting = events.isPending || jobs.isPending || system.isPending;
  // The router cannot scroll to a section that is not loaded yet. Scrolls in the frame after the sections appear,
  // because Chromium counts an insertion and a scroll in one frame as a layout shift.
  useEffect(() => {
    if (isWaiting || !hash) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => document.getElementById(hash)?.closest('section')?.scrollIntoView());
    });
    return () => cancelAnimationFrame(frame);
  }, [isWaiting, hash]);
  if (isWaiting) return <Skeleton height="100vh" radius="md" data-waiting />;
  return (
    <Stack gap="xl">
      <AuditLog events={events} />
      <Jobs jobs={jobs} />
      {system.data ? (
        <SystemFacts system={system.data} />
      ) : (
        <ErrorState error={system.error} onRetry={() => void system.refetch()} />
      )}
    </Stack>
  );
}

/** The server's versions and settings, read-only. */
function SystemFacts({ system }: { system: SystemInfo }) {
  const facts = [
    { name: 'Linksieve', value: system.version },
    { name: 'Node.js', value: system.node },
    { name: 'PostgreSQL', value: system.postgres },
    { name: 'Database size', value: formatBytes(system.databaseBytes) },
    { name: 'Last backup', value: <LastBackup backup={system.backup} /> },
    ...(system.backup
      ? [
          { name: 'Copy in the bucket', value: <LastCopy copy={system.backup.copy} /> },
          { name: 'Last test restore', value: <LastTest test={system.backup.test} /> },
        ]
      : []),
    { name: 'Running since', value: <DateText value={system.dateStarted} pattern="time" /> },
  ];
  return (
    <section aria-labelledby="system" className={list.section}>
      <SectionTitle id="system">System</SectionTitle>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" className={styles.columns}>
        <div className={panel.panel}>
          <SectionTitle order={3} size="h5">
            This server
          </SectionTitle>
          <Facts facts={facts} />
        </div>
        <div className={panel.panel}>
          <Title order={3} size="h5">
            Settings
          </Title>
          <Hint className={styles.hint}>
            Set by environment variables on the server. Changing them here is coming soon.
          </Hint>
          <Facts facts={system.settings} />
        </div>
      </SimpleGrid>
    </section>
  );
}

function LastBackup({ backup }: Pick<SystemInfo, 'backup'>) {
  if (!backup) return 'Off: BACKUP_DIR is not set';
  if (backup.dateLast === null) return 'None yet';
  return (
    <>
      <DateText value={backup.dateLast} pattern="time" />, {formatBytes(backup.bytes ?? 0)}
      {backup.isEncrypted && ', encrypted'}
      <Problem text={backup.error} />
    </>
  );
}

function LastCopy({ copy }: Pick<NonNullable<SystemInfo['backup']>, 'copy'>) {
  if (!copy) return 'Off: BACKUP_S3_BUCKET is not set';
  return (
    <>
      {copy.dateLast === null ? 'None yet' : <DateText value={copy.dateLast} pattern="time" />}
      <Problem text={copy.error} />
    </>
  );
}

function LastTest({ test }: Pick<NonNullable<SystemInfo['backup']>, 'test'>) {
  const { dateLast, error, isFromBucket, obstacle, rows, seconds, tables } = test;
  return (
    <>
      {dateLast === null ? (
        'None yet'
      ) : (
        <>
          <DateText value={dateLast} pattern="time" />, {isFromBucket ? 'from the bucket: ' : ''}
          {plural(rows ?? 0, 'row')} of {plural(tables ?? 0, 'table')} in {plural(Math.ceil(seconds ?? 0), 'second')}
        </>
      )}
      <Problem text={error ?? (obstacle && `Not possible: ${obstacle}`)} />
    </>
  );
}

/** Why the newest run failed. The figures before it are those of an earlier one. */
function Problem({ text }: { text: string | null }) {
  if (!text) return null;
  return <Hint>{text}</Hint>;
}

function Facts({ facts }: { facts: { name: string; value: React.ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>
            <Breakable>{name}</Breakable>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
    width: '124px',
    cell: ({ state }) => <Badge color={states[state].color}>{states[state].name}</Badge>,
  },
  { name: 'Started by', width: '11%', cell: ({ by }) => by ?? <span data-quiet>System</span> },
  { name: 'Created', width: '222px', cell: ({ dateCreated }) => <DateText value={dateCreated} pattern="time" /> },
  { name: 'Duration', width: '96px', isNumber: true, cell: durationText },
  { name: 'Result', cell: ({ message, tries }) => resultText(message, tries) },
];

/** The page of jobs that the URL asks for. */
function useJobs() {
  const { kind, jobsPage = 1 } = useAdminPanel().search;
  return useQuery(jobsQuery({ ...(kind && { kind }), page: jobsPage - 1 }));
}

/** The table of recent background jobs. */
function Jobs({ jobs }: { jobs: ReturnType<typeof useJobs> }) {
  const { search, show, goToPage } = useAdminPanel();
  const { kind, jobsPage = 1 } = search;
  return (
    <section aria-labelledby="jobs" className={list.section}>
      <SectionTitle id="jobs">Recent jobs</SectionTitle>
      <div className={list.bar}>
        <SelectField
          className={list.filter}
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
    </section>
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
