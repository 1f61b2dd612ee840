import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { registerAccount } from '../../accounts/accounts/accounts.ts';
import { createKey } from '../../accounts/api-keys/api-keys.ts';
import { importStoredFile } from '../../blacklist/imports/imports.ts';
import type { Context } from '../../context.ts';
import { analyzeStoredFiles } from '../../reports/backlinks/backlinks.ts';
import { createWebsite, updateWebsite } from '../../reports/websites/websites.ts';
import { StartError } from '../../start-error.ts';
import { fillAlerts } from './alerts.ts';
import { fillAppeals, fillInbox, fillReviewQueue, fillSubmissions, fillViews } from './community.ts';
import { fillDecisions, fillDisavowFiles } from './decisions.ts';
import { fillDiscoveries } from './discoveries.ts';
import { fillFeeds } from './feeds.ts';
import {
  buildCopiedLists,
  buildDomainList,
  copiedLists,
  createRandom,
  type DemoLink,
  exportBuilders,
  generateLinks,
  generateNames,
  pickHosts,
} from './files.ts';
import { fillLiveLinks } from './live-links.ts';
import { sites } from './sites.ts';
import {
  createFamily,
  getDemoState,
  insertActivity,
  updateImportDate,
  updateKeyUsage,
  updateReportDate,
} from './store.ts';

export const demoAccounts = {
  admin: { username: 'admin', email: 'admin@demo.example', password: 'demo-admin-password', displayName: 'Alex Admin' },
  user: { username: 'user', email: 'user@demo.example', password: 'demo-user-password', displayName: 'Uma User' },
} as const;

/** Defaults of the settings for `npm run demo`. */
export const demoSettings = {
  DATA_DIR: './data/demo',
  BACKUP_DIR: join(process.env.DATA_DIR ?? './data/demo', 'backups'),
  OPERATOR_NAME: 'Northgate Search',
  OPERATOR_URL: 'https://northgate-search.example',
};

const notEmpty =
  'The demo needs an empty database, but this one contains data of an unfinished demo or your own data. ' +
  'Delete the folder of an unfinished demo, or use another folder: DATA_DIR=./data/demo2 npm run demo';

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** The blacklist has changed since the newest reports, so that there are alerts. */
const newestReportAgeMs = 8 * dayMs;
const months = 10;

/**
 * Fills an empty database with demo data and `count` made-up domains. Does nothing if the demo data already exists.
 * @param onStart called before the work, which takes about half a minute
 * @throws StartError for any other database that is not empty, because the demo accounts have published passwords
 */
export async function fillDemo(context: Context, onStart?: () => void, count = 100_000): Promise<void> {
  const { config, db } = context;
  // The worker then writes a backup and tests it.
  if (config.backup) await mkdir(config.backup.folder, { recursive: true });
  const state = await getDemoState(db);
  if (state === 'complete') return;
  if (state === 'incomplete') throw new StartError(notEmpty);
  onStart?.();
  const random = createRandom(7);
  const admin = await registerAccount(db, demoAccounts.admin, true);
  const user = await registerAccount(db, demoAccounts.user);

  const freshCount = Math.min(900, count / 10);
  const names = generateNames(count + 4000 + freshCount, random);
  const clean = names.splice(0, 4000);
  const fresh = names.splice(0, freshCount);
  await createFamily(db, copiedLists.family);
  for (let i = 0; i < months; i++) {
    const at = new Date(context.now().getTime() - (months - 1 - i) * monthMs);
    const part = names.slice(Math.floor((i * count) / months), Math.floor(((i + 1) * count) / months));
    const saved = await context.files.save(buildDomainList(part, random));
    const file = { ...saved, fileName: `paid-links-${at.toISOString().slice(0, 7)}.csv` };
    await importStoredFile({ ...context, now: () => at }, file, admin);
    await updateImportDate(db, file.fileName, at);
  }

  const saved = await context.files.save(buildCopiedLists(names.slice(0, Math.min(3000, count / 5))));
  await importStoredFile(context, { ...saved, fileName: 'public-lists.csv' }, admin);

  const listed = names.slice(Math.min(3000, count / 5));
  await fillFeeds(context, admin, { listed, fresh, clean }, random);

  const addReport = async (website: { id: number; domain: string }, at: Date, exports: readonly DemoExport[]) => {
    const files = [];
    for (const { tool, links } of exports) {
      const stored = await context.files.save(exportBuilders[tool](links));
      files.push({ ...stored, name: `${website.domain}-${tool}-${at.toISOString().slice(0, 10)}.csv` });
    }
    const reportId = await analyzeStoredFiles(context, { userId: user.id, websiteId: website.id, files });
    await updateReportDate(db, reportId, at);
    return reportId;
  };

  const websites: { id: number }[] = [];
  for (const { domain, tags, tool, listedShare, anchor, titles, ...site } of sites) {
    const website = await createWebsite(context, user.id, { domain });
    websites.push(website);
    await updateWebsite(context, user.id, website.id, { tags: [...tags] });
    const reportIds: number[] = [];
    // The same sellers link to the site in several months.
    const sellers = names.slice(count / 2, count / 2 + site.sellers);
    for (const [i, share] of listedShare.entries()) {
      const age = newestReportAgeMs + (listedShare.length - 1 - i) * monthMs;
      const at = new Date(context.now().getTime() - age);
      const picked = { rows: Math.round(site.rows * (1 + i / 4)), listedShare: share };
      const hosts = pickHosts({ clean, listed: sellers }, picked, random);
      // Rows of the two files overlap, and some are skipped, so that the report shows how each file was read.
      const combinesTools = site.combinesTools && i === listedShare.length - 1;
      if (combinesTools) hosts.push(...unusableHosts(domain));
      const links = addPatterns(generateLinks(domain, hosts, at, random), { sellers, at, anchor, titles });
      reportIds.push(await addReport(website, at, combinesTools ? splitByTool(links) : [{ tool, links }]));
    }
    const reviewed = { websiteId: website.id, reportId: reportIds.at(-2) ?? 0 };
    await fillDecisions(context, user.id, reviewed, monthMs);
    if (websites.length === 1)
      await fillLiveLinks(context, { userId: user.id, reportId: reportIds.at(-1) ?? 0 }, random);
    if (site.hasDisavowFiles) await fillDisavowFiles(context, user.id, reviewed);
  }

  // A percentage says little about a site with few referring domains, so one site has 11, of which 2 are listed.
  const smallSite = 'village-bakery.example';
  const hosts = [...clean.slice(0, 9), ...names.slice(0, 2)].flatMap((host) =>
    new Array<string>(1 + Math.floor(random.next() * 5)).fill(host),
  );
  const links = generateLinks(smallSite, hosts, context.now(), random);
  const smallWebsite = await createWebsite(context, user.id, { domain: smallSite });
  await addReport(smallWebsite, context.now(), [{ tool: 'search-console', links }]);
  await fillAlerts(context, user, websites, admin);
  await insertActivity(db, user.id, context.now());
  await fillKeys(context, user.id);
  await fillViews(context, user.id);
  await fillSubmissions(context, user.id, admin);
  await fillReviewQueue(context, admin);
  await fillDiscoveries(context, admin);
  await fillInbox(context, user.id);
  await fillAppeals(context, admin);
}

interface DemoKey {
  name: string;
  scopes: ApiKeyScope[];
  expiresInDays?: number;
  usage: Parameters<typeof updateKeyUsage>[2];
}

/** Creates an API key that never expires, and one that expires soon. */
async function fillKeys(context: Context, userId: number): Promise<void> {
  const keys: DemoKey[] = [
    {
      name: 'Outreach sheet',
      scopes: ['check', 'read'],
      usage: { total: 18_240, today: 312, address: '192.0.2.10' },
    },
    {
      name: 'Nightly crawl',
      scopes: ['check'],
      expiresInDays: 5,
      usage: { total: 71_602, today: 840, address: '198.51.100.24' },
    },
  ];
  for (const { name, scopes, expiresInDays, usage } of keys) {
    const now = context.now();
    const expiresAt = expiresInDays ? new Date(now.getTime() + expiresInDays * dayMs).toISOString() : null;
    // The activity of the demo is made up.
    const { id } = await createKey(context, userId, { name, scopes, expiresAt }, async () => undefined);
    await updateKeyUsage(context.db, id, usage, now);
  }
}

interface DemoExport {
  tool: keyof typeof exportBuilders;
  links: readonly DemoLink[];
}

/** Returns hosts that an analysis skips: the site's own, IP addresses, and hosts with an unknown top-level domain. */
const unusableHosts = (site: string): string[] => [
  site,
  `blog.${site}`,
  `booking.${site}`,
  '192.0.2.17',
  '198.51.100.4',
  '203.0.113.80',
  'travel-tips.onion',
  'hotel-reviews.onion',
];

/** Splits links into the exports of two tools. Both contain every fifth link. */
const splitByTool = (links: readonly DemoLink[]): DemoExport[] => [
  { tool: 'semrush', links: links.filter((_, i) => i % 5 !== 1) },
  { tool: 'search-console', links: links.filter((_, i) => i % 5 < 2) },
];

/** Day 0 was a Thursday. */
const daysFromMonday = 3;

interface PatternOptions {
  /** The domains that sell links. */
  sellers: readonly string[];
  /** The day of the export. */
  at: Date;
  /** What customers of the sellers want to rank for. It is not the name of the website. */
  anchor: string;
  titles: readonly string[];
}

/**
 * Returns the links with patterns that sold links have. Each is shown by some of the sellers, and about a fifth of them
 * show none: the same anchor, first links in the same week, in which some other sites linked too, the same titles, and
 * pages with many links and without visits.
 */
function addPatterns(links: readonly DemoLink[], { sellers, at, anchor, titles }: PatternOptions): DemoLink[] {
  const numbers = new Map(sellers.map((seller, number) => [seller, number]));
  const day = Math.floor(at.getTime() / dayMs) - 40;
  const monday = day - ((day + daysFromMonday) % 7);
  const inCampaign = (i: number) => new Date((monday + (i % 7)) * dayMs);
  return links.map((link, i) => {
    const number = numbers.get(new URL(link.page).hostname.replace(/^www\./, ''));
    if (number === undefined) return i % 15 === 0 ? { ...link, firstSeen: inCampaign(i) } : link;
    return {
      ...link,
      ...(number % 3 !== 1 && { anchor }),
      ...(number % 4 === 1 && { firstSeen: inCampaign(i) }),
      ...(number % 6 === 0 && { title: titles[(number / 6) % titles.length] ?? link.title }),
      ...(number % 5 === 0 && { pageTraffic: 0, externalLinks: 120 + (number % 90) }),
    };
  });
}
