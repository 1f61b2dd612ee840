import { confidences, riskLevels } from '#shared/blacklist/domains.ts';
import type { PublishedFormat } from '#shared/blacklist/published-list.ts';
import type { PublicList } from '#shared/blacklist/updates.ts';
import { getBlacklistStats } from '../../blacklist/domains/domains.ts';
import { listPublicLists } from '../../blacklist/updates/updates.ts';
import { csvRow } from '../../platform/csv/write-csv.ts';
import type { Db } from '../../platform/db/database.ts';
import { getRunVersion } from './queries.ts';
import * as store from './store.ts';

/** What the published list contains at a moment. */
export interface ListVersion {
  /** The sources whose listings are published. */
  sources: readonly store.PublishedSource[];
  /** The public lists that list a domain. They are credited. */
  lists: readonly PublicList[];
  lastUpdated: string | null;
  /** Differs after each change that could change the list. */
  key: string;
}

export async function readVersion(db: Db): Promise<ListVersion> {
  const [sources, allLists, stats, runs] = await Promise.all([
    store.listPublishedSources(db),
    listPublicLists(db),
    getBlacklistStats(db),
    getRunVersion(db),
  ]);
  const names = new Set(sources.map(({ name }) => name));
  const lists = allLists.filter(({ kind, domains, name }) => kind === 'block' && domains > 0 && names.has(name));
  const credits = lists.map(({ name, homepage, licence }) => [name, homepage, licence]);
  const key = JSON.stringify([sources, credits, stats, runs]);
  return { sources, lists, lastUpdated: stats.lastUpdated, key };
}

/** Returns a function that counts the domains of a version, and keeps the number of the last one. */
export function createCounter(db: Db): (version: ListVersion) => Promise<number> {
  let last: { key: string; count: Promise<number> } | undefined;
  return async ({ key, sources }) => {
    if (last?.key !== key) last = { key, count: store.countPublished(db, toIds(sources)) };
    const counting = last;
    try {
      return await counting.count;
    } catch (error) {
      if (last === counting) last = undefined;
      throw error;
    }
  };
}

/** The installation that publishes the list. */
export interface Publisher {
  /** Scheme, host and port. */
  origin: string;
  operator: string | undefined;
}

interface ListOptions {
  version: ListVersion;
  /** The number of domains in the list. */
  count: number;
  publisher: Publisher;
  signal: AbortSignal;
}

/**
 * Yields the list in pieces of some hundred kilobytes, by name. Each piece is a separate short query, so a slow
 * download occupies no connection. Domains that change meanwhile are written as they are when they are read.
 */
export async function* writeList(db: Db, format: PublishedFormat, options: ListOptions): AsyncGenerator<string> {
  const { version, signal } = options;
  const ids = toIds(version.sources);
  const { head, readLines } = writers[format];
  yield head(options);
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const page = await readLines(db, ids, after);
    if (page.last === undefined) return;
    after = page.last;
    yield page.text;
  }
}

const pageRows = 5000;

interface Writer {
  /** The first lines: comments and headers. */
  head(options: ListOptions): string;
  /** Returns the lines of the names after a name, and the last of these names; undefined after the last page. */
  readLines(db: Db, sourceIds: readonly number[], after: string): Promise<{ text: string; last: string | undefined }>;
}

const readNames =
  (toLine: (name: string) => string): Writer['readLines'] =>
  async (db, sourceIds, after) => {
    const names = await store.listPublishedNames(db, sourceIds, after, pageRows);
    return { text: names.map(toLine).join(''), last: names.at(-1) };
  };

const writers: Record<PublishedFormat, Writer> = {
  plain: {
    head: (options) => toComments('#', [toTitle(options), description, ...describeContent(options)]),
    readLines: readNames((name) => `${name}\n`),
  },
  csv: {
    // Programs that read CSV have no comments. The response has a link to the lists and licenses instead.
    head: () => csvRow(['domain', 'riskLevel', 'confidence', 'independentSourceCount', 'firstListedAt']),
    async readLines(db, sourceIds, after) {
      const rows = await store.listPublishedDomains(db, sourceIds, after, pageRows);
      const lines = rows.map(({ name, riskLevel, confidence, independentSourceCount, firstListedAt }) =>
        csvRow([name, riskLevels[riskLevel - 1], confidences[confidence - 1], independentSourceCount, firstListedAt]),
      );
      return { text: lines.join(''), last: rows.at(-1)?.name };
    },
  },
  adblock: {
    head: (options) =>
      `[Adblock Plus 2.0]\n${toComments('!', [
        `Title: ${toTitle(options)}`,
        `Description: ${description}`,
        'Expires: 1 days',
        ...describeContent(options),
      ])}`,
    readLines: readNames((name) => `||${name}^\n`),
  },
  ublacklist: {
    head: (options) => {
      const { publisher } = options;
      const fields = { name: toTitle(options), description, homepage: toHomepage(publisher) };
      // A text in JSON is a text in YAML too.
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      return `---\n${lines.join('\n')}\n---\n${toComments('#', describeContent(options))}`;
    },
    readLines: readNames((name) => `*://*.${name}/*\n`),
  },
};

const description =
  'Domains known or suspected to sell backlinks. A listing is not proof that a particular link was paid for.';

const toHomepage = ({ origin }: Publisher) => `${origin}/updates`;

function toTitle({ publisher: { origin, operator } }: ListOptions): string {
  const site = new URL(origin).host;
  return `Paid-link blacklist of ${operator === undefined ? site : `${toLine(operator)} (${site})`}`;
}

function describeContent({ version: { lists, lastUpdated }, count, publisher }: ListOptions): string[] {
  const credits = lists.map(({ name, licence, homepage }) =>
    [name, licence ? `license: ${licence}` : 'license not stated', homepage].filter(Boolean).join(', '),
  );
  return [
    `Homepage: ${toHomepage(publisher)}`,
    `Domains: ${count.toLocaleString('en-US')}`,
    `Last modified: ${lastUpdated ?? 'never'}`,
    ...(credits.length > 0 ? ['', 'Built from these public lists:', ...credits.map((text) => `- ${text}`)] : []),
  ];
}

const toComments = (mark: '#' | '!', lines: readonly string[]) =>
  lines.map((line) => `${`${mark} ${toLine(line)}`.trimEnd()}\n`).join('');

/** A line break would end the comment, so that its rest becomes an entry of the list. */
const toLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const toIds = (sources: readonly store.PublishedSource[]) => sources.map(({ id }) => id);
