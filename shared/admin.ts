import * as z from 'zod/mini';
import { jobKinds } from './choices.ts';
import { endpoint } from './endpoint.ts';
import { Pagination, pageNumber, pageSize } from './page.ts';

/** One tidying of the whole database. `progress` is 0 to 100; sizes in bytes, null until known. */
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
  summary: 'Tidy the database, or join the run that is under way',
  act: 'Started maintenance',
  responses: { 202: MaintenanceRun },
});

export const listMaintenanceRuns = endpoint({
  method: 'GET',
  path: '/api/admin/maintenance',
  access: 'admin',
  summary: 'The last ten runs of maintenance, newest first',
  responses: { 200: z.array(MaintenanceRun) },
});

export const exportAllDomains = endpoint({
  method: 'GET',
  path: '/api/admin/export/csv',
  access: 'admin',
  summary: 'The whole blacklist as a CSV that the import reads',
  act: 'Exported all data',
});

/** What this server is and how it is set. Secrets are only said to be set or not. */
export const SystemInfo = z.object({
  version: z.string(),
  node: z.string(),
  postgres: z.string(),
  databaseBytes: z.number(),
  /** When this process started. */
  dateStarted: z.string(),
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type SystemInfo = z.infer<typeof SystemInfo>;

export const getSystemInfo = endpoint({
  method: 'GET',
  path: '/api/admin/system',
  access: 'admin',
  summary: 'Versions, size and settings of this server',
  responses: { 200: SystemInfo },
});

export const jobStates = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const;

/** One piece of background work. `by`: the username behind it; `message`: how it is or why it failed. */
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
  summary: 'Background work of the last days, newest first; housekeeping only when asked for',
  query: z.object({ kind: z.optional(z.enum(jobKinds)), page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ jobs: z.array(BackgroundJob), pagination: Pagination }) },
});

/** Something that an admin did. `address` is null for the command line of the server. */
export const AuditEvent = z.object({
  id: z.number(),
  username: z.string(),
  act: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.nullable(z.string()),
  date: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

const actFilters = { act: z.optional(z.string()), person: z.optional(z.string()) };

export const listAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/acts',
  access: 'admin',
  summary: 'What admins did, newest first',
  query: z.object({ ...actFilters, page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ acts: z.array(AuditEvent), pagination: Pagination }) },
});

export const listAuditEventKinds = endpoint({
  method: 'GET',
  path: '/api/admin/acts/kinds',
  access: 'admin',
  summary: 'Every act and every person of the audit log',
  responses: { 200: z.object({ acts: z.array(z.string()), people: z.array(z.string()) }) },
});

export const exportAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/acts/export/csv',
  access: 'admin',
  summary: 'The audit log as CSV',
  act: 'Exported the audit log',
  query: z.object(actFilters),
});
