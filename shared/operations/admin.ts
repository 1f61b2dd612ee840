import * as z from 'zod/mini';
import { BackupStatus } from '../platform/backup.ts';
import { endpoint } from '../platform/endpoint.ts';
import { Pagination, pageNumber, pageSize } from '../platform/page.ts';
import { jobKinds } from './choices.ts';

/** `progress` is 0 to 100. The database sizes are in bytes, and null until measured. */
export const MaintenanceRun = z.object({
  id: z.number(),
  status: z.enum(['processing', 'completed', 'failed']),
  progress: z.number(),
  message: z.string(),
  startedBy: z.string(),
  bytesBefore: z.nullable(z.number()),
  bytesAfter: z.nullable(z.number()),
  dateStarted: z.string(),
  dateFinished: z.nullable(z.string()),
});
export type MaintenanceRun = z.infer<typeof MaintenanceRun>;

export const startMaintenance = endpoint({
  method: 'POST',
  path: '/api/admin/maintenance',
  access: 'admin',
  summary: 'Start database maintenance, or return the run in progress',
  auditEvent: 'Started maintenance',
  responses: { 202: MaintenanceRun },
});

export const listMaintenanceRuns = endpoint({
  method: 'GET',
  path: '/api/admin/maintenance',
  access: 'admin',
  summary: 'List the last 10 maintenance runs, newest first',
  responses: { 200: z.array(MaintenanceRun) },
});

export const exportAllDomains = endpoint({
  method: 'GET',
  path: '/api/admin/export/csv',
  access: 'admin',
  summary: 'Export the whole blacklist as a CSV file that can be imported again',
  auditEvent: 'Exported all data',
  needsProof: true,
});

/** A release that is newer than this server, and its page. */
export const NewerVersion = z.object({ version: z.string(), url: z.string() });
export type NewerVersion = z.infer<typeof NewerVersion>;

/** The `value` of a secret setting only says whether it is set. */
export const SystemInfo = z.object({
  version: z.string(),
  /** Null if there is none, or if the setting RELEASES_URL does not allow to ask. */
  newerVersion: z.nullable(NewerVersion),
  node: z.string(),
  postgres: z.string(),
  databaseBytes: z.number(),
  /** When this process started. */
  dateStarted: z.string(),
  backup: z.nullable(BackupStatus),
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type SystemInfo = z.infer<typeof SystemInfo>;

export const getSystemInfo = endpoint({
  method: 'GET',
  path: '/api/admin/system',
  access: 'admin',
  summary: 'Get the versions, database size and settings of this server',
  responses: { 200: SystemInfo },
});

/** `review`: the copy of a feed needs review. */
const jobStates = ['waiting', 'running', 'review', 'completed', 'failed', 'cancelled'] as const;

/** `by` is the username that started the job, null for the system. `message` is its progress, result or error. */
export const BackgroundJob = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  state: z.enum(jobStates),
  by: z.nullable(z.string()),
  message: z.nullable(z.string()),
  tries: z.number(),
  dateCreated: z.string(),
  dateStarted: z.nullable(z.string()),
  dateFinished: z.nullable(z.string()),
});
export type BackgroundJob = z.infer<typeof BackgroundJob>;

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  access: 'admin',
  summary: 'List recent background jobs, newest first. Housekeeping jobs are listed only if kind=housekeeping',
  query: z.object({ kind: z.optional(z.enum(jobKinds)), page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ jobs: z.array(BackgroundJob), pagination: Pagination }) },
});

/**
 * The pending work of admins. `feeds` are those that cannot be downloaded or have a copy that needs review.
 * `failedJobs` counts, by kind, the failures of the last seven days since the last success; it includes every
 * undelivered email, but neither feeds nor files that cannot be read. `runningJobs` includes those that are about to
 * start. `disk` is the file system of the data folder. `backup` is null if scheduled backups are off.
 */
export const AdminStatus = z.object({
  unreadMessages: z.number(),
  pendingSubmissions: z.number(),
  heldListings: z.number(),
  feeds: z.array(z.object({ id: z.number(), name: z.string(), state: z.enum(['failing', 'review']) })),
  failedJobs: z.array(z.object({ kind: z.enum(jobKinds), count: z.number() })),
  runningJobs: z.number(),
  /** Whether all visitors seem to share the address of a proxy that TRUST_PROXY does not name. */
  hasUnknownProxy: z.boolean(),
  /** Why reads do not use the database in DATABASE_READ_URL: null if they do, or if it is not set. */
  replicaFailure: z.nullable(z.enum(['unreachable', 'behind', 'foreign'])),
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }),
  backup: z.nullable(BackupStatus),
  /** As in `SystemInfo`. */
  newerVersion: z.nullable(NewerVersion),
});
export type AdminStatus = z.infer<typeof AdminStatus>;

export const getAdminStatus = endpoint({
  method: 'GET',
  path: '/api/admin/status',
  access: 'admin',
  summary: 'Get the pending work of admins, recent failures and the free disk space',
  responses: { 200: AdminStatus },
});
