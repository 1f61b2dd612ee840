import { statfs } from 'node:fs/promises';
import { Registry } from 'prom-client';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import type * as websites from '#shared/reports/websites.ts';
import type { OwnedWebsite } from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { addGauges } from '../../platform/http/gauges.ts';
import type { Audit } from '../../platform/http/scope.ts';
import { transferAnalyses } from '../../reports/backlinks/queries.ts';
import { stopDigest } from '../../reports/watch/queries.ts';
import { transferWebsite } from '../../reports/websites/websites.ts';
import { countFailedJobs, listQueues } from './store-status.ts';

/** Returns metrics of the queues, failed jobs, the disk and the file storage for Prometheus. */
export function createOperationMetrics({
  config,
  db,
  files,
  log,
  replicaFailure,
}: Pick<Context, 'config' | 'db' | 'files' | 'log' | 'replicaFailure'>): Registry {
  const registry = new Registry();
  addGauges(registry, log, {
    read: () => listQueues(db),
    labels: ['queue'],
    gauges: {
      linksieve_queue_ready_jobs: { help: 'Jobs that a worker could start now.', value: ({ ready }) => ready },
      linksieve_queue_active_jobs: { help: 'Running jobs.', value: ({ active }) => active },
      linksieve_queue_oldest_ready_seconds: {
        help: 'How long the oldest job that a worker could start has waited.',
        value: ({ oldestSeconds }) => oldestSeconds,
      },
    },
  });
  addGauges(registry, log, {
    read: () => countFailedJobs(db),
    labels: ['kind'],
    gauges: {
      linksieve_failed_jobs: {
        help: 'Failed jobs of the last seven days without a later success, and failed emails.',
        value: ({ count }) => count,
      },
    },
  });
  addGauges(registry, log, {
    read: async () => [await statfs(config.dataDir)],
    labels: [],
    gauges: {
      linksieve_disk_free_bytes: {
        help: 'Free space on the disk of the data folder.',
        value: ({ bavail, bsize }) => bavail * bsize,
      },
      linksieve_disk_size_bytes: {
        help: 'Size of the disk of the data folder.',
        value: ({ blocks, bsize }) => blocks * bsize,
      },
    },
  });
  addGauges(registry, log, {
    read: async () => files.countErrors(),
    labels: ['operation'],
    gauges: {
      linksieve_file_storage_errors: {
        help: 'Failed requests of this process to the bucket of FILES=s3 since it started.',
        value: ({ errors }) => errors,
      },
    },
  });
  if (config.databaseReadUrl !== undefined) {
    addGauges(registry, log, {
      read: async () => [replicaFailure()],
      labels: [],
      gauges: {
        linksieve_replica_used: {
          help: '1 while reads use the database in DATABASE_READ_URL.',
          value: (failure) => (failure ? 0 : 1),
        },
      },
    });
  }
  return registry;
}

/** Transfers a website with its reports and analyses to another account. @throws what `transferWebsite` throws */
export async function transferWithAnalyses(
  db: Db,
  { profileId: websiteId, newFirebaseUid }: BodyOf<typeof websites.transferWebsite>,
  audit: Audit,
): Promise<OwnedWebsite> {
  return await db.transaction().execute(async (trx) => {
    const { website, ownerId } = await transferWebsite(trx, websiteId, newFirebaseUid, audit);
    await transferAnalyses(trx, website.id, ownerId);
    await stopDigest(trx, website.id);
    return website;
  });
}
