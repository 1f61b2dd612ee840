import { SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SystemInfo } from '#shared/operations/admin.ts';
import { formatBytes, plural } from '../../platform/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import panel from '../../ui/panel.module.css';
import { ErrorState } from '../../ui/states.tsx';
import { Breakable } from '../../ui/text.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { systemQuery } from './queries.ts';
import styles from './system-tab.module.css';

/** The Settings screen: the server's versions and settings, read-only. */
export function SystemTab() {
  const { data: system, error, refetch, isFetching } = useQuery(systemQuery);
  if (error && !system) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (!system) return <Skeleton height="60vh" radius="md" data-waiting />;
  const facts = [
    { name: 'Linksieve', value: system.version },
    ...(system.newerVersion
      ? [
          {
            name: 'Newer version',
            value: <ExternalLink href={system.newerVersion.url}>{system.newerVersion.version}</ExternalLink>,
          },
        ]
      : []),
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
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" className={styles.columns}>
      <section className={panel.panel} aria-labelledby="settings">
        <SectionTitle id="settings" size="h4">
          Environment variables
        </SectionTitle>
        <Facts facts={system.settings} />
      </section>
      <section className={panel.panel} aria-labelledby="server">
        <SectionTitle id="server" size="h4">
          This server
        </SectionTitle>
        <Facts facts={facts} />
      </section>
    </SimpleGrid>
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
