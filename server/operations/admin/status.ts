import { statfs } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type * as contract from '#shared/operations/admin.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { listFeeds } from '../../blacklist/feeds/feeds.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { readBackupStatus } from '../../platform/backup/backup.ts';
import type { Db } from '../../platform/db/database.ts';
import { isBehindUnknownProxy } from '../../platform/http/address.ts';
import { isSharedNetworkReported } from '../../platform/throttle/throttle.ts';
import { getWebsiteScope } from '../../reports/websites/websites.ts';
import * as store from './store.ts';
import { countFailedJobs, countPendingWork } from './store-status.ts';

/** Returns what the admin should look at: pending work, failures, the disk and the backups. */
export async function readStatus(
  context: Pick<Context, 'config' | 'db' | 'now' | 'replicaFailure'>,
  { request, newerVersion }: { request: FastifyRequest; newerVersion: contract.NewerVersion | null },
): Promise<contract.AdminStatus> {
  const { config, db, now } = context;
  const [pending, failedJobs, feeds, disk, isReported, backup] = await Promise.all([
    countPendingWork(db),
    countFailedJobs(db),
    listFeeds(db),
    statfs(config.dataDir),
    isSharedNetworkReported(db, now()),
    readBackupStatus(context),
  ]);
  return {
    ...pending,
    feeds: feeds.flatMap(({ id, name, state }) =>
      state === 'failing' || state === 'review' ? [{ id, name, state }] : [],
    ),
    failedJobs,
    hasUnknownProxy: isReported || isBehindUnknownProxy(request),
    replicaFailure: context.replicaFailure() ?? null,
    disk: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
    backup,
    newerVersion,
  };
}

/** Returns a page of the background jobs. */
export async function listJobs(db: Db, { kind, page, pageSize }: QueryOf<typeof contract.listJobs>) {
  const { rows, total } = await store.listJobs(db, kind, page * pageSize, pageSize);
  const jobs = rows.map(({ createdAt, startedAt, finishedAt, ...row }) => ({
    ...row,
    dateCreated: createdAt.toISOString(),
    dateStarted: startedAt?.toISOString() ?? null,
    dateFinished: finishedAt?.toISOString() ?? null,
  }));
  return { jobs, pagination: toPagination(page, pageSize, total) };
}

/** Returns versions and settings. Secrets appear only as set or not set. */
export async function readSystem(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  newerVersion: contract.NewerVersion | null,
): Promise<contract.SystemInfo> {
  const [database, backup, websiteScope] = await Promise.all([
    store.readDatabaseFacts(db),
    readBackupStatus({ config, db }),
    getWebsiteScope({ config, db }),
  ]);
  return {
    version: packageJson.version,
    newerVersion,
    node: process.versions.node,
    postgres: database.version,
    databaseBytes: database.bytes,
    backup,
    dateStarted: new Date(now().getTime() - process.uptime() * 1000).toISOString(),
    settings: listSettings({ ...config, websiteScope }),
  };
}

/** Lists the settings by the names of their environment variables, without paths on the server. */
function listSettings(config: Config & { websiteScope: string }): contract.SystemInfo['settings'] {
  const values = {
    PUBLIC_URL: config.publicOrigin ?? 'not set',
    HOST: config.host,
    PORT: String(config.port),
    TRUST_PROXY: [config.trustProxy].flat().join(', '),
    DATABASE_URL: config.databaseUrl ? 'set' : 'not set: the embedded PostgreSQL is used',
    DATABASE_POOL_URL: config.databasePoolUrl ? 'set' : 'not set: requests connect directly',
    DATABASE_READ_URL: config.databaseReadUrl ? 'set' : 'not set: reads use the same database',
    FILES: config.bucket ? 's3' : 'local',
    SECRET_KEY_PREVIOUS: config.previousSecretKey ? 'set' : 'not set',
    SECRET_KEY: config.secretKey ? 'set' : 'not set: generated and stored in the data folder',
    SMTP_URL: config.mail ? 'set' : 'not set: no email is sent',
    MAIL_FROM: config.mail?.from ?? 'not set',
    BOOK_A_CALL_URL: config.bookACallUrl ?? 'not set',
    EXTENSION_CHROME_URL: config.extensionStores.chrome ?? 'not set',
    EXTENSION_EDGE_URL: config.extensionStores.edge ?? 'not set',
    EXTENSION_FIREFOX_URL: config.extensionStores.firefox ?? 'not set',
    OPERATOR_NAME: config.operator?.name ?? 'not set',
    OPERATOR_URL: config.operator?.url ?? 'not set',
    STRIPE_SECRET_KEY: config.stripe ? 'set' : 'not set: payments are simulated',
    STRIPE_WEBHOOK_SECRET: config.stripe ? 'set' : 'not set',
    SEARCH_LIMIT: config.searchLimit === undefined ? 'not set: no limit' : String(config.searchLimit),
    PROFILE_SCOPE: config.websiteScope,
    INDEX_DOMAIN_PAGES: config.indexDomainPages ? '1' : '0',
    PUBLISH_BLACKLIST: config.publishBlacklist ? '1' : '0',
    ALLOW_PRIVATE_ADDRESSES: config.allowPrivateAddresses ? '1' : '0',
    DNS_SERVERS: config.dnsServers?.join(', ') ?? 'not set: those of the system',
    CRAWL: config.crawl.enabled ? '1' : '0',
    CRAWL_PER_MINUTE: String(config.crawl.perMinute),
    CRAWL_HOST_SECONDS: String(config.crawl.hostSeconds),
    RELEASES_URL: config.releasesUrl ?? 'not set: nobody is asked for newer versions',
    FEED_MIRROR_URL: config.feedMirrorUrl ?? 'not set',
    BACKUP_DIR: config.backup ? 'set' : 'not set: no scheduled backups',
    BACKUP_HOURS: config.backup ? String(config.backup.hours) : 'not used',
    BACKUP_KEEP: config.backup ? String(config.backup.keep) : 'not used',
    BACKUP_KEY: config.backupKey ? 'set' : 'not set: backups are not encrypted',
    BACKUP_S3_BUCKET: config.backup?.bucket ? 'set' : 'not set: no copies in a bucket',
    ADMIN_PASSWORD: config.firstAdmin ? 'set' : 'not set',
    METRICS_TOKEN: config.metricsToken ? 'set' : 'not set: only this machine can read the metrics',
    LOG_LEVEL: config.logLevel,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
