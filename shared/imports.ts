import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const maxUploadBytes = 200 * 1024 * 1024;
/** From this size on the screen says that processing may take a while. */
export const largeUploadBytes = 50 * 1024 * 1024;
export const importPollIntervalMs = 2000;

/** The columns that a file has to have. Case, spaces, `_` and `-` in a header do not count. */
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
] as const;

export const ImportFailure = z.object({ line: z.number(), value: z.string(), reason: z.string() });
export type ImportFailure = z.infer<typeof ImportFailure>;

/** `progress` is 0 to 100; `timeTaken` in seconds; `dateCreated` ISO 8601; `failures` are the first hundred. */
export const ImportStatus = z.object({
  jobId: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  progress: z.number(),
  processedCount: z.number(),
  imported: z.number(),
  updated: z.number(),
  failedCount: z.number(),
  totalCount: z.nullable(z.number()),
  timeTaken: z.number(),
  message: z.string(),
  fileName: z.string(),
  dateCreated: z.string(),
  failures: z.array(ImportFailure),
});
export type ImportStatus = z.infer<typeof ImportStatus>;

const jobParams = z.object({ jobId: z.uuid() });

export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/domains/upload',
  access: 'admin',
  summary: 'Import a CSV of domains',
  act: 'Imported domains',
  upload: 'file',
  responses: { 200: ImportStatus, 202: ImportStatus },
});

export const getImportStatus = endpoint({
  method: 'GET',
  path: '/api/domains/import-status/:jobId',
  access: 'admin',
  summary: 'How far an import is',
  params: jobParams,
  responses: { 200: ImportStatus },
});

export const listImports = endpoint({
  method: 'GET',
  path: '/api/domains/imports',
  access: 'admin',
  summary: 'The last twenty imports, newest first',
  responses: { 200: z.array(ImportStatus) },
});

export const exportImportFailures = endpoint({
  method: 'GET',
  path: '/api/domains/import-status/:jobId/failures.csv',
  access: 'admin',
  summary: 'Every row that an import refused, with its line and reason',
  params: jobParams,
});
