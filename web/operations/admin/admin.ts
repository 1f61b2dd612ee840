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
  ScrollText,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { paths } from '../../paths.ts';
import { adminStatusQuery } from './queries.ts';
import type { AdminPanelSearch } from './search.ts';

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

/** A screen of the admin area, or a part of one. */
export interface AdminEntry {
  label: string;
  to: (typeof paths)[keyof typeof paths];
  /** Opens this tab of the admin panel. */
  tab?: NonNullable<AdminPanelSearch['tab']>;
  /** Scrolls to the element with this id. */
  hash?: string;
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
  { entries: [{ label: 'Status', to: paths.admin, Icon: Gauge, keywords: 'admin dashboard statistics attention' }] },
  {
    name: 'Review',
    entries: [
      {
        label: 'Submissions',
        to: paths.adminSubmissions,
        Icon: ClipboardCheck,
        keywords: 'site approve reject',
        count: ({ pendingSubmissions }) => pendingSubmissions,
        countWord: () => 'pending',
      },
      {
        label: 'Held for review',
        to: paths.adminHeld,
        Icon: ShieldCheck,
        keywords: 'queue protected sites allow rules imports',
        count: ({ heldListings }) => heldListings,
        countWord: () => 'waiting',
      },
      {
        label: 'Inbox',
        to: paths.adminInbox,
        Icon: Inbox,
        keywords: 'contact messages reply',
        count: ({ unreadMessages }) => unreadMessages,
        countWord: () => 'unread',
      },
    ],
  },
  {
    name: 'Blacklist',
    entries: [
      { label: 'Import', to: paths.adminPanel, tab: 'import', Icon: FileUp, keywords: 'panel csv upload domains' },
      {
        label: 'Database',
        to: paths.adminPanel,
        tab: 'database',
        Icon: Database,
        keywords: 'panel maintenance export',
      },
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
        label: 'Users',
        to: paths.adminPanel,
        tab: 'users',
        Icon: Users,
        keywords: 'panel accounts admins disable',
      },
      { label: 'Websites', to: paths.adminWebsites, Icon: Globe, keywords: 'manage profiles transfer orphaned' },
    ],
  },
  {
    name: 'System',
    entries: [
      {
        label: 'Audit log',
        to: paths.adminPanel,
        tab: 'system',
        hash: 'audit-log',
        Icon: ScrollText,
        keywords: 'logs',
      },
      {
        label: 'Jobs',
        to: paths.adminPanel,
        tab: 'system',
        hash: 'jobs',
        Icon: ListChecks,
        keywords: 'panel runs failed',
      },
      {
        label: 'Settings',
        to: paths.adminPanel,
        tab: 'system',
        hash: 'system',
        Icon: Cog,
        keywords: 'server versions',
      },
    ],
  },
];

/** The route of an entry, as the properties of a link. */
export const toAdminLink = ({ to, tab, hash }: AdminEntry) => ({
  to,
  search: tab ? { tab } : {},
  ...(hash && { hash }),
});

/** The entry of the URL, undefined outside the admin area. Without a known hash, it is the first entry of the tab. */
export function findAdminEntry(location: { pathname: string; tab: unknown; hash: string }): AdminEntry | undefined {
  const { pathname, tab = 'import', hash } = location;
  const entries = adminGroups
    .flatMap((group) => group.entries)
    .filter((entry) => entry.to === pathname && (entry.tab === undefined || entry.tab === tab));
  return entries.find((entry) => entry.hash === hash) ?? entries[0];
}
