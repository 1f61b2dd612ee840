import { sql } from 'kysely';
import type { AlertEvent, DigestInterval } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';
import { worstFirst } from '../alerts/queries.ts';

/** The alerts that a digest contains: created in this period, and not read or in a digest yet. */
export interface DigestPeriod {
  interval: Exclude<DigestInterval, 'off'>;
  from: Date;
  before: Date;
  /** Whether the period has not ended: the digest is sent in addition to those of ended periods. */
  early: boolean;
}

const digestEnd = ({ interval }: DigestPeriod) => sql.ref(`${interval}_digest_end`);

/**
 * Whether the account of `alert_settings` has had no digest of the period. The end of a much later period comes from a
 * clock that was ahead.
 */
const hasNoDigest = (period: DigestPeriod) =>
  sql<boolean>`(${period.early} or (alert_settings.${digestEnd(period)} between ${period.before} and ${period.before}::timestamptz + interval '7 days') is not true)`;

const isDue = ({ interval, from, before }: DigestPeriod) => sql<boolean>`
  alerts.mailed_at is null and alerts.read_at is null
  and alerts.created_at >= ${from} and (alerts.created_at < ${before} or alerts.created_at > ${before}::timestamptz + interval '8 days')
  and watches.enabled and watches.digest = ${interval}
`;

/** Returns the ids of the accounts that can receive email, with alerts in the period and no digest of it. */
export async function listUsersWithAlerts(db: Db, period: DigestPeriod): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select users.id
    from users left join alert_settings on alert_settings.user_id = users.id
    where ${canReceive} and ${hasNoDigest(period)} and users.id in (
      select websites.user_id
      from alerts join websites on websites.id = alerts.website_id join watches on watches.website_id = websites.id
      where ${isDue(period)}
    )
    order by users.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

const canReceive = sql<boolean>`users.disabled_at is null and users.email_confirmed and alert_settings.mail_paused_at is null`;

export interface Recipient {
  id: number;
  displayName: string | null;
  username: string;
  email: string;
}

/**
 * Locks an account until the transaction ends, so that other processes wait before they select its alerts.
 * @returns undefined for an account that is deleted, disabled or paused, or whose address is not confirmed
 */
export async function lockRecipient(trx: Db, userId: number): Promise<Recipient | undefined> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx);
  const { rows } = await sql<Recipient>`
    select users.id, users.display_name as "displayName", users.username, users.email
    from users left join alert_settings on alert_settings.user_id = users.id
    where users.id = ${userId} and ${canReceive}
  `.execute(trx);
  return rows[0];
}

/** An alert in a digest. `from` and `to` are risk levels from 1 to 4. */
export interface DigestAlert {
  websiteId: number;
  /** The domain of the website. */
  website: string;
  domain: string;
  event: AlertEvent;
  from: number | null;
  to: number | null;
  backlinks: number;
  /** From 1, the worst alert of the digest first. */
  rank: number;
  /** From 1, among the alerts with this event of the website. */
  nth: number;
  /** The number of alerts with this event of the website. */
  count: number;
}

/**
 * Marks the account's alerts in the period as mailed, unless it has had a digest of the period.
 * @returns the worst `limit` of them, and at least one for each website and event, the worst first
 */
export async function markMailed(
  trx: Db,
  userId: number,
  period: DigestPeriod,
  { now, limit }: { now: Date; limit: number },
): Promise<DigestAlert[]> {
  const { rows } = await sql<DigestAlert>`
    with mailed as (
      update alerts set mailed_at = ${now}
      from websites join watches on watches.website_id = websites.id
        left join alert_settings on alert_settings.user_id = websites.user_id
      where websites.id = alerts.website_id and websites.user_id = ${userId} and ${isDue(period)} and ${hasNoDigest(period)}
      returning alerts.*, websites.domain as website
    ),
    ranked as (
      select *, row_number() over (order by ${worstFirst}) as rank
      from mailed as alerts
    ),
    counted as (
      select *,
        row_number() over (partition by website_id, event order by rank) as nth,
        count(*) over (partition by website_id, event) as count
      from ranked
    )
    select website_id as "websiteId", website, domain, event, from_level as from, to_level as to, backlinks, rank, nth, count
    from counted where rank <= ${limit} or nth = 1 order by rank
  `.execute(trx);
  return rows;
}

/** Records that the account has a digest of the period. */
export async function setDigestEnd(trx: Db, userId: number, period: DigestPeriod): Promise<void> {
  const column = digestEnd(period);
  await sql`
    insert into alert_settings (user_id, ${column}) values (${userId}, ${period.before})
    on conflict (user_id) do update set ${column} = excluded.${column}
  `.execute(trx);
}

/** A website whose newest report is too old, and when that was made. */
export interface ExpiredWebsite {
  websiteId: number;
  website: string;
  reportedAt: Date;
}

/**
 * The newest report of `websites`, if it is older than a date and its owner was not reminded of it or of a newer one,
 * which may be deleted.
 */
const expiredReport = (before: Date) => sql`
  join lateral (
    select id, created_at from reports where website_id = websites.id order by created_at desc, id desc limit 1
  ) as newest on newest.created_at < ${before} and newest.id > coalesce(watches.reminded_report_id, 0)
`;

/** Returns the ids of the accounts that can receive email, with a watched website whose newest report is older. */
export async function listUsersToRemind(db: Db, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct users.id
    from watches join websites on websites.id = watches.website_id ${expiredReport(before)}
    join users on users.id = websites.user_id left join alert_settings on alert_settings.user_id = users.id
    where watches.enabled and watches.digest <> 'off' and ${canReceive}
    order by users.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Records that the account is reminded of its expired reports. @returns their websites, the oldest report first */
export async function markReminded(trx: Db, userId: number, before: Date): Promise<ExpiredWebsite[]> {
  const { rows } = await sql<ExpiredWebsite>`
    with expired as (
      select websites.id, websites.domain, newest.id as report_id, newest.created_at
      from watches join websites on websites.id = watches.website_id ${expiredReport(before)}
      where websites.user_id = ${userId} and watches.enabled and watches.digest <> 'off'
    ),
    reminded as (
      update watches set reminded_report_id = expired.report_id from expired where expired.id = watches.website_id
      returning expired.*
    )
    select id as "websiteId", domain as website, created_at as "reportedAt" from reminded order by created_at, id
  `.execute(trx);
  return rows;
}

/** Turns the digests of all websites of the account off. */
export async function turnDigestsOff(db: Db, userId: number): Promise<void> {
  await sql`
    update watches set digest = 'off' from websites where websites.id = watches.website_id and websites.user_id = ${userId}
  `.execute(db);
}

/** Pauses the digests of an account, if it still has the address that was refused. */
export async function pauseMail(db: Db, userId: number, email: string, now: Date): Promise<void> {
  await sql`
    insert into alert_settings (user_id, mail_paused_at)
    select id, ${now}::timestamptz from users where id = ${userId} and email = ${email}
    on conflict (user_id) do update set mail_paused_at = excluded.mail_paused_at
  `.execute(db);
}
