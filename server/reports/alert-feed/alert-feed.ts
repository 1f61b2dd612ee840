import { escapeHtml } from '#shared/platform/html.ts';
import { toAlertFeedPath } from '#shared/reports/alert-feed.ts';
import { countOf, describeAlert, describeEventCounts } from '#shared/reports/alert-texts.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { SecretKey } from '../../platform/db/secret-key.ts';
import type { AtomEntry, AtomFeed } from '../../platform/http/atom.ts';
import { HttpError, notFound } from '../../platform/http/errors.ts';
import { isSignature, sign } from '../../platform/http/signature.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import {
  type AlertRun,
  type FeedRun,
  findFeedVersion,
  incrementFeedVersion,
  listAlertRuns,
  listNewestRuns,
  listWorstAlerts,
  type RunAlert,
} from './store.ts';

/** Per network. Services that read feeds serve many users from one network. */
export const maxFeedRequestsPerHour = 600;
const maxRuns = 50;
const maxDomainsPerRun = 50;

type FeedContext = Pick<Context, 'db' | 'secretKey'>;

/** Returns the secret path of an account's feed. @throws 404 if the account has just been deleted */
export async function getFeedPath({ db, secretKey }: FeedContext, userId: number): Promise<string> {
  const version = await findFeedVersion(db, userId);
  if (version === undefined) throw notFound('account');
  return toFeedPath(secretKey, userId, version);
}

/** Returns a new secret path. The earlier one stops working. */
export async function replaceFeedPath({ db, secretKey }: FeedContext, userId: number): Promise<string> {
  return toFeedPath(secretKey, userId, await incrementFeedVersion(db, userId));
}

/** Returns the path of a version of an account's feed. Derived instead of stored. */
export function toFeedPath(secretKey: SecretKey, userId: number, version: number): string {
  return toAlertFeedPath(`${userId}-${version}-${sign(secretKey, 'alert feeds', signedText(userId, version))}`);
}

const signedText = (userId: number, version: number) => `alert-feed:${userId}:${version}`;

/**
 * Returns the id of the account whose feed has a token.
 * @throws the same 404 for a wrong or replaced token and for a disabled account, and 429 after too many requests of a
 *   network
 */
export async function getFeedOwner(
  { db, secretKey, now }: FeedContext & Pick<Context, 'now'>,
  token: string,
  network: string,
): Promise<number> {
  const [, id = '', version = '', signature = ''] = /^([1-9]\d{0,14})-([1-9]\d{0,8})-([\w-]{43})$/.exec(token) ?? [];
  const userId = Number(id);
  // A wrong token costs no query.
  if (!isSignature(secretKey, 'alert feeds', signedText(userId, Number(version)), signature)) throw unknownFeedError();
  const limitMessage = 'Too many requests for feeds from this network. Please try again later.';
  await recordUse(db, { key: `alert-feed:${network}`, maxPerHour: maxFeedRequestsPerHour, limitMessage }, now());
  if ((await findFeedVersion(db, userId)) !== Number(version)) throw unknownFeedError();
  return userId;
}

const unknownFeedError = () =>
  new HttpError(404, 'not_found', 'This feed does not exist or got a new address. Copy the address from your account.');

interface FeedOptions {
  /** Scheme, host and port of the site. */
  origin: string;
  /** The path of the feed. */
  path: string;
  author: AtomFeed['author'];
}

/** Returns the runs in the feed of an account. The result changes if and only if the entries do, and costs far less. */
export function listFeedRuns(db: Db, userId: number): Promise<FeedRun[]> {
  return listNewestRuns(db, userId, maxRuns);
}

/** Returns the feed of an account with one entry per run, newest first. The ids of the entries never change. */
export async function readFeed(
  { db }: Pick<Context, 'db'>,
  userId: number,
  feedRuns: readonly FeedRun[],
  { origin, path, author }: FeedOptions,
): Promise<AtomFeed> {
  const runIds = feedRuns.map(({ runId }) => runId);
  const runs = await listAlertRuns(db, userId, runIds);
  const alerts = Map.groupBy(await listWorstAlerts(db, userId, runIds, maxDomainsPerRun), ({ runId }) => runId);
  // A tag URI (RFC 4151): unlike the address of the feed, it contains no secret and is never replaced.
  const id = `tag:${new URL(origin).hostname},2026:alerts/${userId}`;
  const page = `${origin}/alerts`;
  return {
    id,
    title: 'Linksieve alerts',
    subtitle: 'Changes of listed domains that link to your websites',
    author,
    self: origin + path,
    page,
    entries: runs.map((run) => ({
      ...toEntry(run, alerts.get(run.runId) ?? [], origin),
      id: `${id}/${run.runId}`,
      page,
    })),
  };
}

function toEntry(run: AlertRun, alerts: readonly RunAlert[], origin: string): Omit<AtomEntry, 'id' | 'page'> {
  const { at, websites, website } = run;
  const items = alerts.map((alert) => {
    const url = `${origin}/domain/${encodeURIComponent(alert.domain)}`;
    const on = websites > 1 ? ` (${alert.website})` : '';
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(alert.domain)}</a>: ${escapeHtml(describeAlert(alert) + on)}</li>`;
  });
  const more = run.listed + run.raised + run.lowered + run.delisted - alerts.length;
  return {
    title: `${describeEventCounts(run)}: ${websites > 1 ? countOf(websites, 'website') : website}`,
    updatedAt: at,
    content: `<ul>${items.join('')}</ul>${more > 0 ? `<p>and ${more.toLocaleString('en-US')} more</p>` : ''}`,
  };
}
