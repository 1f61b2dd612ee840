import { Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDot, TriangleAlert } from 'lucide-react';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { Composition } from '../../blacklist/domains/charts.tsx';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { formatRelative } from '../../ui/relative-time.ts';
import { Row, RowList } from '../../ui/row-list.tsx';
import screen from '../../ui/screen.module.css';
import { Screen } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { SectionTitle } from '../../ui/typography.ts';
import { listAttention } from './attention.ts';
import styles from './attention-list.module.css';
import { DeleteAllSection } from './delete-all.tsx';
import { adminStatusQuery, freshStatsQuery } from './queries.ts';
import { StatsCards } from './stats-cards.tsx';

/** The admin dashboard: what needs attention, and the blacklist in numbers. */
export function AdminPage() {
  const { data: status, error, refetch, isFetching } = useQuery(adminStatusQuery);
  const { data: blacklist, isPending } = useQuery(freshStatsQuery);
  // Its length is unknown until it is loaded, so the rest of the screen waits for it and does not move.
  const isWaiting = isPending || (!status && !error);
  return (
    <Screen title="Admin Dashboard" lead="Blacklist status and pending work.">
      {isWaiting ? (
        <Skeleton height="70vh" radius="md" data-waiting />
      ) : (
        <div className={screen.parts}>
          {status && blacklist && <AttentionList status={status} blacklist={blacklist} />}
          {!status && <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />}
          <div className={screen.bar}>
            <SectionTitle size="h3">Overview</SectionTitle>
            <ButtonLink variant="default" to={paths.domains} search={{ dialog: 'import' }}>
              Import Domains
            </ButtonLink>
          </div>
          <StatsCards />
          <SectionTitle size="h3">Composition</SectionTitle>
          <Composition />
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

interface Props {
  status: AdminStatus;
  blacklist: { total: number; lastUpdated: string | null };
}

/** What needs the attention of an admin, each with a link to the screen where it is dealt with. */
function AttentionList({ status, blacklist }: Props) {
  const items = listAttention(status, blacklist);
  const { lastUpdated } = blacklist;
  return (
    <section aria-labelledby="attention" className={styles.section}>
      <div className={styles.head}>
        <Title order={2} size="h3" id="attention">
          {items.length > 0 ? 'Needs attention' : 'Everything is up to date'}
        </Title>
        {lastUpdated && (
          <span className={styles.date}>
            Blacklist last updated: <DateText value={lastUpdated} text={formatRelative(lastUpdated)} />
          </span>
        )}
      </div>
      {items.length > 0 ? (
        <RowList aria-labelledby="attention">
          {items.map(({ text, isProblem, action }) => (
            <Row
              key={text}
              data-problem={isProblem || undefined}
              icon={isProblem ? <TriangleAlert size={18} aria-hidden /> : <CircleDot size={18} aria-hidden />}
              text={<bdi>{text}</bdi>}
            >
              {action && (
                <ButtonLink size="xs" variant="default" to={action.to} search={action.search}>
                  {action.label}
                </ButtonLink>
              )}
            </Row>
          ))}
        </RowList>
      ) : (
        <p className={styles.nothing}>
          <CircleCheck size={18} aria-hidden />
          No failures, and no work is waiting.
        </p>
      )}
    </section>
  );
}
