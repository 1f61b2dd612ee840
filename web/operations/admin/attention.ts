import type { AdminStatus } from '#shared/operations/admin.ts';
import { paths } from '../../paths.ts';
import { formatBytes, formatCount, plural } from '../../platform/format.ts';

/** Something that an admin should look at. */
export interface AttentionItem {
  /** A sentence. */
  text: string;
  /** Whether something fails, in contrast to pending work. */
  isProblem: boolean;
  /** The link to the screen where the admin can act. */
  action?: {
    label: string;
    to: (typeof paths)[keyof typeof paths];
    search?: Record<string, string | number>;
  };
}

/** How many feeds in the same state are listed by name. */
const maxNamedFeeds = 3;
/** The blacklist counts as out of date after this many days without a change. */
const maxDaysUnchanged = 31;
/** The disk counts as almost full when less than this share is free. */
const minFreeShare = 0.1;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Lists what needs attention: problems first, then pending work.
 * @param blacklist the size of the blacklist, and when it last changed (ISO 8601)
 */
export function listAttention(
  status: AdminStatus,
  blacklist: { total: number; lastUpdated: string | null },
  now = Date.now(),
): AttentionItem[] {
  const { disk, failedJobs, hasUnknownProxy, heldListings, newerVersion } = status;
  const { pendingSubmissions, replicaFailure, unreadMessages } = status;
  return [
    ...blacklistItems(blacklist, now),
    ...(disk.freeBytes < disk.totalBytes * minFreeShare
      ? [
          {
            isProblem: true,
            text: `The disk is almost full: ${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free.`,
          },
        ]
      : []),
    ...(hasUnknownProxy
      ? [
          {
            isProblem: true,
            text: 'All visitors seem to have the same address, so they share the limits for sign-ins. If there is a proxy in front, set TRUST_PROXY.',
          },
        ]
      : []),
    ...(replicaFailure ? [{ isProblem: true, text: replicaTexts[replicaFailure] }] : []),
    ...backupItems(status, now),
    ...feedItems(status, 'failing'),
    ...failedJobs.map(({ kind, count }) => ({
      isProblem: true,
      text: failureText[kind](count),
      action: { label: 'Open jobs', to: paths.adminPanel, search: { tab: 'jobs', kind } },
    })),
    ...feedItems(status, 'review'),
    ...pendingItem(heldListings, `${plural(heldListings, 'listing')} held for review.`, {
      label: 'Review listings',
      to: paths.adminHeld,
    }),
    ...pendingItem(pendingSubmissions, `${plural(pendingSubmissions, 'pending submission')}.`, {
      label: 'Review submissions',
      to: paths.adminSubmissions,
    }),
    ...pendingItem(unreadMessages, `${plural(unreadMessages, 'unread message')}.`, {
      label: 'Read messages',
      to: paths.adminInbox,
      search: { status: 'new' },
    }),
    ...(newerVersion
      ? [
          {
            isProblem: false,
            text: `Linksieve ${newerVersion.version} is available.`,
            action: { label: 'Show versions', to: paths.adminPanel, search: { tab: 'system' } },
          },
        ]
      : []),
  ];
}

function blacklistItems({ total, lastUpdated }: { total: number; lastUpdated: string | null }, now: number) {
  if (total === 0) {
    const action = { label: 'Load lists', to: paths.setup };
    return [{ isProblem: true, text: 'The blacklist is empty.', action }];
  }
  const days = lastUpdated === null ? 0 : Math.floor((now - Date.parse(lastUpdated)) / dayMs);
  if (days <= maxDaysUnchanged) return [];
  const action = { label: 'Open feeds', to: paths.adminFeeds };
  return [{ isProblem: true, text: `The blacklist has not changed for ${formatCount(days)} days.`, action }];
}

function backupItems({ backup }: AdminStatus, now: number): AttentionItem[] {
  if (!backup) return [];
  const { copy, test } = backup;
  const texts = [
    describeBackup(backup, now),
    copy?.error && `The last backup could not be copied to the bucket. ${copy.error}`,
    test.error && `The last test restore failed. ${test.error}`,
    !test.error && !test.obstacle && describeOldTest(test.dateLast, now),
  ];
  return texts.flatMap((text) => (text ? [{ isProblem: true, text }] : []));
}

function describeBackup({ dateLast, error, intervalHours }: NonNullable<AdminStatus['backup']>, now: number) {
  if (error !== null) return `The last backup failed. ${error}`;
  if (dateLast === null) return undefined;
  const hours = Math.floor((now - Date.parse(dateLast)) / hourMs);
  // The worker looks every hour. Two intervals without a backup mean that it does not run.
  if (hours <= 2 * intervalHours) return undefined;
  return `The last backup is ${plural(hours, 'hour')} old. Check whether the worker runs.`;
}

/** Tests run every week, but wait for disk space. */
const maxDaysUntested = 21;

function describeOldTest(dateLast: string | null, now: number) {
  if (dateLast === null) return undefined;
  const days = Math.floor((now - Date.parse(dateLast)) / dayMs);
  return days > maxDaysUntested ? `No test restore has succeeded for ${plural(days, 'day')}.` : undefined;
}

const replicaTexts = {
  unreachable: 'The read replica does not respond, so lists and searches use the main database.',
  behind: 'The read replica is more than a second behind, so lists and searches use the main database.',
  foreign: 'DATABASE_READ_URL does not lead to a standby of the database in DATABASE_URL, so it is not used.',
};

const feedTexts = {
  failing: { one: (name: string) => `${name} cannot be downloaded.`, many: 'feeds cannot be downloaded.' },
  review: { one: (name: string) => `A copy of ${name} needs review.`, many: 'feeds have a copy that needs review.' },
};

/** An item for each feed in a state, or one for all if there are many. */
function feedItems({ feeds }: AdminStatus, state: 'failing' | 'review'): AttentionItem[] {
  const found = feeds.filter((feed) => feed.state === state);
  const isProblem = state === 'failing';
  if (found.length > maxNamedFeeds) {
    const text = `${formatCount(found.length)} ${feedTexts[state].many}`;
    return [{ isProblem, text, action: { label: 'Open feeds', to: paths.adminFeeds } }];
  }
  return found.map(({ id, name }) => ({
    isProblem,
    text: feedTexts[state].one(name),
    action: {
      label: isProblem ? 'Open feed' : 'Review copy',
      to: paths.adminFeeds,
      search: { feed: id },
    },
  }));
}

const failureText: Record<AdminStatus['failedJobs'][number]['kind'], (count: number) => string> = {
  import: (count) => `${plural(count, 'import')} failed.`,
  analysis: (count) => `${plural(count, 'analysis', 'analyses')} failed.`,
  feed: (count) => `${plural(count, 'download')} failed.`,
  sources: (count) => `${plural(count, 'source update')} failed.`,
  maintenance: (count) => `${plural(count, 'maintenance run')} failed.`,
  mail: (count) => `${plural(count, 'email')} could not be delivered.`,
  housekeeping: (count) => `${plural(count, 'housekeeping job')} failed.`,
};

const pendingItem = (count: number, text: string, action: NonNullable<AttentionItem['action']>): AttentionItem[] =>
  count > 0 ? [{ isProblem: false, text, action }] : [];
