import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { setCrawlSetting } from '#shared/blacklist/crawl.ts';
import type { SystemInfo } from '#shared/operations/admin.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { formatBytes, formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { FormError } from '../../ui/form-error.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Breakable } from '../../ui/text.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { PanelSection } from './panel-section.tsx';
import { crawlQuery, systemQuery } from './queries.ts';
import styles from './system-tab.module.css';

/** Turns visits to pages of other sites on and off. */
function PageVisits() {
  const client = useQueryClient();
  const query = useQuery(crawlQuery);
  const { data } = query;
  const set = useMutation({
    mutationFn: (enabled: boolean) => call(setCrawlSetting, { body: { enabled } }),
    onSuccess: (setting) => client.setQueryData(crawlQuery.queryKey, setting),
  });
  if (!data) return <QueryState query={query} height={112} />;
  return (
    <PanelSection
      title="Page visits"
      description={
        <>
          {data.enabled ? 'On. ' : 'Off: nothing is requested from other sites. '}
          With page visits, users can check which links of a report still exist, the evidence of listings is visited
          again every 90 days, and sites that may sell links are searched for offers. At most one request per{' '}
          {plural(data.hostSeconds, 'second')} and host and {formatCount(data.perMinute)} per minute. robots.txt is
          respected. <TextLink to={paths.crawler}>What site owners read</TextLink>
        </>
      }
      below={<FormError error={set.error} />}
    >
      <Button variant="default" loading={set.isPending} onClick={() => set.mutate(!data.enabled)}>
        {data.enabled ? 'Turn off page visits' : 'Turn on page visits'}
      </Button>
    </PanelSection>
  );
}

/** The Settings screen: the switch of page visits, and the server's versions and settings. */
export function SystemTab() {
  return (
    <Stack gap="md">
      <PageVisits />
      <System />
    </Stack>
  );
}

function System() {
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
