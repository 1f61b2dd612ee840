import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Composition } from '../../blacklist/domains/charts.tsx';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import screen from '../../ui/screen.module.css';
import { Screen } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { SectionTitle } from '../../ui/typography.ts';
import { AttentionList } from './attention-list.tsx';
import { DeleteAllSection } from './delete-all.tsx';
import { adminStatusQuery, freshStatsQuery } from './queries.ts';
import { StatsCards } from './stats-cards.tsx';

/** The admin dashboard: what needs attention, the blacklist in numbers, and tools. */
export function AdminPage() {
  const { data: status, error, refetch, isFetching } = useQuery(adminStatusQuery);
  const { data: blacklist, isPending } = useQuery(freshStatsQuery);
  // Its length is unknown until it is loaded, so the rest of the screen waits for it and does not move.
  const isWaiting = isPending || (!status && !error);
  return (
    <Screen title="Admin dashboard" lead="Blacklist status and pending work.">
      {isWaiting ? (
        <Skeleton height="70vh" radius="md" data-waiting />
      ) : (
        <div className={screen.parts}>
          {status && blacklist && <AttentionList status={status} blacklist={blacklist} />}
          {!status && <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />}
          <SectionTitle size="h3">Overview</SectionTitle>
          <StatsCards withUsers />
          <SectionTitle size="h3">Composition</SectionTitle>
          <Composition />
          <SectionTitle size="h3">Tools</SectionTitle>
          <div className={screen.actions}>
            {tools.map(({ name, ...link }) => (
              <ButtonLink key={name} variant="default" {...link}>
                {name}
              </ButtonLink>
            ))}
          </div>
          <SectionTitle size="h3">Danger zone</SectionTitle>
          <DeleteAllSection
            title="Delete All Links"
            description="Deletes every domain on the blacklist. Existing reports do not change."
          />
        </div>
      )}
    </Screen>
  );
}

interface Tool {
  name: string;
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
  hash?: string;
}

const tools: Tool[] = [
  { name: 'Import Domains', to: paths.domains, search: { dialog: 'import' } },
  { name: 'Manage Profiles', to: paths.adminWebsites },
  { name: 'Message Inbox', to: paths.adminInbox },
  { name: 'System Logs', to: paths.adminPanel, search: { tab: 'system' }, hash: 'audit-log' },
  { name: 'Settings', to: paths.adminPanel, search: { tab: 'system' }, hash: 'system' },
];
