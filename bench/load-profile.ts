import type pg from 'pg';
import { createSession } from '#server/accounts/sessions/sessions.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import { checkDomainWithKey } from '#shared/checks/key-checks.ts';
import { buildHosts, createKeys } from './checks.ts';

const users = 100;
/** Each allows 1000 checks a day: together, enough for three hours. */
const keys = 500;
const hosts = 20_000;
const publicPages = ['/', '/features', '/contact', '/api/docs', '/about'];

export interface LoadRequest {
  kind: 'pages' | 'checks';
  path: string;
  headers: Record<string, string>;
}

/** What the requests contain. Can be sent to a thread. */
export interface LoadProfile {
  checkedHosts: string[];
  /** The hosts that are listed or whose parent is. */
  names: string[];
  apiKeys: string[];
  /** A session cookie for each user. */
  cookies: string[];
}

/**
 * Prepares the requests of visitors, users and programs.
 * @param cookieName the name of the session cookie
 */
export async function createLoadProfile(
  { url, pool }: { url: string; pool: pg.Pool },
  domains: number,
  cookieName: string,
): Promise<LoadProfile> {
  const checkedHosts = await buildHosts(pool, domains, hosts);
  return {
    checkedHosts,
    // Every second host is listed, some as a subdomain.
    names: checkedHosts.filter((_, i) => i % 2 === 0).map((host) => host.replace(/^(?:blog|a\.b)\./, '')),
    apiKeys: await createKeys(pool, keys),
    cookies: (await createSessions(url)).map((id) => `${cookieName}=${id}`),
  };
}

/**
 * Builds the request with a number. Of ten, four are checks with a key, two are searches of the blacklist, two are
 * public pages, one is the page of a domain and one is the current user. Each comes from another address, because a
 * visitor may only look at 30 domains per hour.
 */
export function buildRequest({ checkedHosts, names, apiKeys, cookies }: LoadProfile, i: number): LoadRequest {
  const turn = Math.floor(i / 10);
  const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? '';
  const page = (path: string, cookie?: string): LoadRequest => ({
    kind: 'pages',
    path,
    headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
  });
  const cookie = pick(cookies, turn);
  switch (i % 10) {
    case 0:
    case 5:
      return page(`/api/domains?${toSearch(turn * 2 + (i % 10) / 5, pick(names, turn * 7))}`, cookie);
    case 2:
    case 7:
      return page(pick(publicPages, turn));
    case 4:
      return page(toDomainPage(pick(checkedHosts, turn * 11)));
    case 9:
      return page('/api/auth/current-user', cookie);
    default:
      return {
        kind: 'checks',
        path: `${checkDomainWithKey.path}?domain=${pick(checkedHosts, i)}`,
        headers: { 'x-api-key': pick(apiKeys, i) },
      };
  }
}

/** Returns the query of a search, a filter, a sort or a page of the blacklist. */
function toSearch(i: number, name: string): string {
  const letters = name.slice(0, 4 + (i % 5));
  const queries = [`search=${letters}`, 'tld=com', `search=${name}`, 'sort=dr-desc', `page=${1 + (i % 40)}`];
  return queries[i % queries.length] ?? '';
}

/** Creates users and signs each in. @returns the values of their session cookies */
async function createSessions(url: string): Promise<string[]> {
  const { db, pool, close } = openDatabase(url, (error) => console.error(error.message));
  const ids: string[] = [];
  try {
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (username, email) select 'reader' || i, 'reader' || i || '@mail.example'
       from generate_series(1, ${users}) as i returning id`,
    );
    for (const { id: userId } of rows) {
      const { id } = await createSession(db, { userId, userAgent: null, address: '10.0.0.1' }, new Date());
      ids.push(id);
    }
    return ids;
  } finally {
    await close();
  }
}
