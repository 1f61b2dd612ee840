import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';

/** Above this size the screen warns that processing may take several minutes. */
export const largeUploadBytes = 50 * 1024 * 1024;
export const importPollIntervalMs = 2000;

/**
 * The columns that a file must have if it is uploaded without a mapping or default source. `price` is another name of
 * `cost`. Headers match regardless of case, spaces, `_` and `-`.
 */
export const requiredColumns = ['domain', 'source'] as const;
export const optionalColumns = [
  'description',
  'riskLevel',
  'sourceDetails',
  'notes',
  'niche',
  'domainRating',
  'outboundLinks',
  'cost',
  'evidenceUrl',
  'sourceKind',
] as const;

export const ImportFailure = z.object({ line: z.number(), value: z.string(), reason: z.string() });
export type ImportFailure = z.infer<typeof ImportFailure>;

/**
 * `progress` is 0 to 100, `timeTaken` is in seconds, and `failures` contains the first 100 rejected rows. `held`
 * contains the first 100 rows that would be held, if the file is only checked.
 */
export const ImportStatus = z.object({
  jobId: z.string(),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  /** Whether the file is only checked: the counts are those of an import, but nothing is imported. */
  dryRun: z.boolean(),
  progress: z.number(),
  processedCount: z.number(),
  imported: z.number(),
  updated: z.number(),
  /** Listed domains of the file that it does not change. */
  unchangedCount: z.number(),
  failedCount: z.number(),
  /** Rows that wait for an admin's decision, such as those of well-known sites. They are not failures. */
  heldCount: z.number(),
  totalCount: z.nullable(z.number()),
  timeTaken: z.number(),
  message: z.string(),
  fileName: z.string(),
  dateCreated: z.string(),
  failures: z.array(ImportFailure),
  held: z.array(ImportFailure),
});
export type ImportStatus = z.infer<typeof ImportStatus>;

export const importParams = z.object({ jobId: z.uuid() });

/** The form can also contain the `ReadingOptions` of shared/blacklist/import-preview.ts. */
export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/domains/upload',
  access: 'admin',
  summary: 'Import a CSV of domains',
  auditEvent: 'Imported domains',
  upload: 'file',
  responses: { 200: ImportStatus, 202: ImportStatus },
});

export const getImportStatus = endpoint({
  method: 'GET',
  path: '/api/domains/import-status/:jobId',
  access: 'admin',
  summary: 'Get the status of an import',
  params: importParams,
  responses: { 200: ImportStatus },
});

export const listImports = endpoint({
  method: 'GET',
  path: '/api/domains/imports',
  access: 'admin',
  summary: 'List the last 20 imports, newest first',
  responses: { 200: z.array(ImportStatus) },
});

export const exportImportFailures = endpoint({
  method: 'GET',
  path: '/api/domains/import-status/:jobId/failures.csv',
  access: 'admin',
  summary: 'Export every rejected row of an import as CSV, with its line number and reason',
  params: importParams,
});
