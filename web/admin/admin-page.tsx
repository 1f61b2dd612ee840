import { Badge, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowRight,
  ClipboardCheck,
  FileUp,
  Globe,
  Inbox,
  Library,
  type LucideIcon,
  Rss,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
} from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Composition } from '../domains/domains.tsx';
import { FeedAlert, feedsQuery, needsAttention } from '../feeds/feeds.tsx';
import { paths } from '../paths.ts';
import { Screen } from '../ui/screen.tsx';
import { PendingMarker } from '../ui/states.tsx';
import classes from './admin-page.module.css';
import { DeleteAllSection } from './delete-all.tsx';
import { freshStatsQuery, heldCountQuery, pendingQuery, unreadQuery, userCountQuery } from './queries.ts';
import styles from './stats-cards.module.css';
import { CountCard, StatsError, TotalCards } from './stats-cards.tsx';

/** The admin dashboard: key numbers, and links to the admin screens with their pending work. */
export function AdminPage() {
  const unread = useQuery(unreadQuery).data;
  const pending = useQuery(pendingQuery).data;
  const held = useQuery(heldCountQuery).data;
  const feeds = useQuery(feedsQuery).data;
  const attention = feeds?.filter(needsAttention).length;
  return (
    <Screen title="Admin dashboard" lead="Blacklist status and pending work.">
      {feeds && <FeedAlert feeds={feeds} />}
      <DashboardCards />
      <Title order={2} size="h3" mt="xl" mb="md">
        Composition
      </Title>
      <Suspense fallback={<PendingMarker />}>
        <Composition />
      </Suspense>
      <Title order={2} size="h3" mt="xl" mb="md">
        Tools
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="md">
        <Tool to={paths.domains} search={{ dialog: 'import' }} Icon={FileUp} title="Import Domains">
          Add domains to the blacklist from a CSV file.
        </Tool>
        <Tool to={paths.adminProfiles} Icon={Globe} title="Manage Profiles">
          Transfer or delete websites, and assign those without an owner.
        </Tool>
        <Tool to={paths.adminInbox} Icon={Inbox} title="Message Inbox" count={unread} countWord="unread">
          Read and reply to contact messages.
        </Tool>
        <Tool
          to={paths.adminSubmissions}
          Icon={ClipboardCheck}
          title="Site Submissions"
          count={pending}
          countWord="pending"
        >
          Review the sites that users submitted.
        </Tool>
        <Tool
          to={paths.adminFeeds}
          Icon={Rss}
          title="Feeds"
          count={attention}
          countWord={attention === 1 ? 'needs attention' : 'need attention'}
        >
          Subscribe to public lists that keep the blacklist current.
        </Tool>
        <Tool to={paths.adminSources} Icon={Library} title="Sources">
          Rename and merge sources, and group those that copy from each other.
        </Tool>
        <Tool to={paths.adminHeld} Icon={ShieldCheck} title="Held for review" count={held} countWord="waiting">
          Decide on held listings and manage allow rules.
        </Tool>
        <Tool to={paths.adminPanel} search={{ tab: 'system' }} Icon={ScrollText} title="System Logs">
          The audit log, background jobs and server settings.
        </Tool>
        <Tool to={paths.adminPanel} Icon={SlidersHorizontal} title="Admin Panel">
          Imports, the database, accounts and the server.
        </Tool>
      </SimpleGrid>
      <Title order={2} size="h3" mt="xl" mb="md">
        Danger zone
      </Title>
      <DeleteAllSection
        title="Delete All Links"
        description="Deletes every domain on the blacklist. Existing reports do not change."
      />
    </Screen>
  );
}

/** The numbers of domains and users, each linked to its list, and a link to the settings. */
function DashboardCards() {
  const stats = useQuery(freshStatsQuery);
  const users = useQuery(userCountQuery);
  if (stats.isError || users.isError) {
    return <StatsError queries={[stats, users]} />;
  }
  const { data } = stats;
  return (
    <ul className={styles.cards} aria-label="Overview">
      <TotalCards counts={data} />
      <CountCard name="Users" count={users.data?.count} to={paths.adminPanel} search={{ tab: 'users' }} />
      <li>
        <Link to={paths.adminPanel} search={{ tab: 'system' }} className={styles.card}>
          <span className={styles.name}>Settings</span>
          <span className={styles.view}>
            View
            <ArrowRight size={15} aria-hidden />
          </span>
        </Link>
      </li>
    </ul>
  );
}

interface ToolProps {
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
  Icon: LucideIcon;
  title: string;
  /** The purpose of the screen, in a sentence. */
  children: ReactNode;
  /** The number of pending items; undefined until loaded. */
  count?: number | undefined;
  countWord?: string;
}

/** A link to an admin screen, with its purpose and the number of pending items. */
function Tool({ to, search, Icon, title, children, count, countWord }: ToolProps) {
  return (
    <Link to={to} search={search} className={classes.tool}>
      <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <div className={classes.head}>
          <Title order={3} size="h4">
            {title}
          </Title>
          {count !== undefined && count > 0 && (
            <Badge variant="light" tt="none">
              {count} {countWord}
            </Badge>
          )}
        </div>
        <Text size="sm" c="dimmed" mt={2}>
          {children}
        </Text>
      </div>
    </Link>
  );
}
