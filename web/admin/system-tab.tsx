import { SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatBytes } from '../lib/format.ts';
import { DateText } from '../ui/date-text.tsx';
import panel from '../ui/panel.module.css';
import { ErrorState } from '../ui/states.tsx';
import { Breakable } from '../ui/text.tsx';
import { AuditLog } from './audit-log.tsx';
import { Jobs } from './jobs.tsx';
import { systemQuery } from './queries.ts';
import styles from './system-tab.module.css';

/** The System tab: the audit log, recent jobs, and the server's versions and settings. */
export function SystemTab() {
  return (
    <Stack gap="xl">
      <AuditLog />
      <Jobs />
      <SystemFacts />
    </Stack>
  );
}

/** The server's versions and settings, read-only. */
function SystemFacts() {
  const { data, isError, error, refetch } = useQuery(systemQuery);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} radius="md" />;
  const facts = [
    { name: 'Linksieve', value: data.version },
    { name: 'Node.js', value: data.node },
    { name: 'PostgreSQL', value: data.postgres },
    { name: 'Database size', value: formatBytes(data.databaseBytes) },
    { name: 'Running since', value: <DateText value={data.dateStarted} pattern="time" /> },
  ];
  return (
    <section aria-labelledby="system">
      <Title order={2} size="h4" id="system" mb="sm">
        System
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" className={styles.columns}>
        <div className={panel.panel}>
          <Title order={3} size="h5" mb="sm">
            This server
          </Title>
          <Facts facts={facts} />
        </div>
        <div className={panel.panel}>
          <Title order={3} size="h5">
            Settings
          </Title>
          <Text size="sm" c="dimmed" mt={2} mb="sm">
            Set by environment variables on the server. Changing them here is coming soon.
          </Text>
          <Facts facts={data.settings} />
        </div>
      </SimpleGrid>
    </section>
  );
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
