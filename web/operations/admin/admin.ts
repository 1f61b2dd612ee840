import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import {
  ClipboardCheck,
  Cog,
  Database,
  FileUp,
  Gauge,
  Globe,
  Inbox,
  Library,
  ListChecks,
  type LucideIcon,
  Rss,
  ScanSearch,
  ScrollText,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { paths } from '../../paths.ts';
import { adminStatusQuery } from './queries.ts';
import { type AdminPanelTab, toPanelTab } from './search.ts';

/** The pending work. Reloaded after each change, and when another screen opens. */
export function useAdminStatus(): AdminStatus | undefined {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const { data, refetch } = useQuery(adminStatusQuery);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) void refetch();
    shown.current = pathname;
  }, [pathname, refetch]);
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success') void refetch();
      }),
    [client, refetch],
  );
  return data;
}

/** A screen of the admin area. */
export interface AdminEntry {
  label: string;
  to: (typeof paths)[keyof typeof paths];
  /** The screen of the admin panel. */
  tab?: AdminPanelTab;
  Icon: LucideIcon;
  /** Additional words to find it by. */
  keywords: string;
  /** The number of pending items. */
  count?(status: AdminStatus): number;
  /** What follows the number, such as 'unread'. */
  countWord?(count: number): string;
}

/** The entries of the admin area in groups. The first group has no name. */
export const adminGroups: readonly { name?: string; entries: readonly AdminEntry[] }[] = [
  { entries: [{ label: 'Admin Dashboard', to: paths.admin, Icon: Gauge, keywords: 'status statistics attention' }] },
  {
    name: 'Review',
    entries: [
      {
        label: 'Site Submissions',
        to: paths.adminSubmissions,
        Icon: ClipboardCheck,
        keywords: 'site approve reject',
        count: ({ pendingSubmissions }) => pendingSubmissions,
        countWord: () => 'pending',
      },
      {
        label: 'Discoveries',
        to: paths.adminDiscoveries,
        Icon: ScanSearch,
        keywords: 'crawler offers sellers proposals visits',
      },
      {
        label: 'Held for Review',
        to: paths.adminHeld,
        Icon: ShieldCheck,
        keywords: 'queue protected sites allow rules imports',
        count: ({ heldListings }) => heldListings,
        countWord: () => 'waiting',
      },
      {
        label: 'Message Inbox',
        to: paths.adminInbox,
        Icon: Inbox,
        keywords: 'contact reply',
        count: ({ unreadMessages }) => unreadMessages,
        countWord: () => 'unread',
      },
    ],
  },
  {
    name: 'Blacklist',
    entries: [
      { label: 'Import Data', to: paths.adminPanel, tab: 'import', Icon: FileUp, keywords: 'panel csv upload domains' },
      {
        label: 'Feeds',
        to: paths.adminFeeds,
        Icon: Rss,
        keywords: 'lists catalogue subscribe downloads refresh',
        count: ({ feeds }) => feeds.length,
        countWord: (count) => (count === 1 ? 'needs attention' : 'need attention'),
      },
      { label: 'Sources', to: paths.adminSources, Icon: Library, keywords: 'families kinds merge rename copies' },
    ],
  },
  {
    name: 'People',
    entries: [
      {
        label: 'User Management',
        to: paths.adminPanel,
        tab: 'users',
        Icon: Users,
        keywords: 'panel accounts admins disable',
      },
      { label: 'Manage Profiles', to: paths.adminWebsites, Icon: Globe, keywords: 'websites transfer orphaned' },
    ],
  },
  {
    name: 'System Logs',
    entries: [
      { label: 'Audit Log', to: paths.adminPanel, tab: 'audit', Icon: ScrollText, keywords: 'security activity' },
      { label: 'Jobs', to: paths.adminPanel, tab: 'jobs', Icon: ListChecks, keywords: 'runs failed' },
    ],
  },
  {
    name: 'System',
    entries: [
      {
        label: 'Database',
        to: paths.adminPanel,
        tab: 'database',
        Icon: Database,
        keywords: 'panel maintenance export',
      },
      { label: 'Settings', to: paths.adminPanel, tab: 'system', Icon: Cog, keywords: 'server versions' },
    ],
  },
];

/** The route of an entry, as the properties of a link. */
export const toAdminLink = ({ to, tab }: AdminEntry) => ({ to, search: tab ? { tab } : {} });

/** The entry of the URL, undefined outside the admin area. */
export function findAdminEntry({ pathname, search }: { pathname: string; search: object }): AdminEntry | undefined {
  const tab = toPanelTab(search);
  return adminGroups
    .flatMap((group) => group.entries)
    .find((entry) => entry.to === pathname && (entry.tab === undefined || entry.tab === tab));
}
