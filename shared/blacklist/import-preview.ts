import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { sourceKinds } from './choices.ts';
import { importParams, optionalColumns, requiredColumns, uploadImport } from './imports.ts';

// What only the importer's own screens use, so that the blacklist does not load it.

/** What a column of an imported file can be read as. */
export const importFields = [...requiredColumns, ...optionalColumns] as const;
export type ImportField = (typeof importFields)[number];

/** Names of fields on screens and in error messages. */
export const importFieldNames: Record<ImportField, string> = {
  domain: 'Domain',
  source: 'Source',
  description: 'Description',
  riskLevel: 'Risk level',
  sourceDetails: 'Source details',
  notes: 'Notes',
  niche: 'Niche',
  domainRating: 'Domain rating',
  outboundLinks: 'Outbound links',
  cost: 'Price',
  evidenceUrl: 'Evidence URL',
  sourceKind: 'Source kind',
};

/** The start of a file, in bytes, from which its columns are recognized. */
export const previewBytes = 262_144;

/** Whether a file can be imported, by its name. */
export const isImportFileName = (name: string): boolean => /\.(csv|tsv|txt)$/i.test(name) || isArchiveName(name);

/** Whether a file has to be complete to be previewed, by its name. */
export const isArchiveName = (name: string): boolean => /\.(xlsx|ods|zip|gz)$/i.test(name);

const columnIndex = z.int().check(z.gte(0), z.lt(65_536));
const maxMoreDomains = 1000;

/** How the columns of a file are read. */
export const ImportMapping = z.object({
  /** The line with the names of the columns; 0 if there is none. Rows start on the next line. */
  headerLine: z.int().check(z.gte(0)),
  /** The zero-based column of each field. Other columns are ignored. */
  columns: z.partialRecord(z.enum(importFields), columnIndex),
  /** Other columns with domains. Each of their cells is a row of its own with the other fields of its line. */
  moreDomains: z.optional(z.array(columnIndex).check(z.maxLength(maxMoreDomains))),
});
export type ImportMapping = z.infer<typeof ImportMapping>;

/**
 * How to read an uploaded file. They are form fields of the upload, the mapping as JSON. Without them, the header must
 * name the required columns.
 */
export const ReadingOptions = z.object({
  mapping: z.optional(ImportMapping),
  /** The source of rows without one, or several with commas between them. */
  defaultSource: z.optional(z.string()),
  /** The kind of the default source, if that source is new or has the default kind. */
  defaultKind: z.optional(z.enum(sourceKinds)),
});
export type ReadingOptions = z.infer<typeof ReadingOptions>;

/** The first rows of a file, and what its columns are most likely read as. */
export const ImportPreview = z.object({
  mapping: ImportMapping,
  /** The shown columns: those with a field and the first others. */
  columns: z.array(z.number()),
  /** The header, if there is one, and up to five rows. `cells` are those of the shown columns. */
  rows: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/domains/upload/preview',
  access: 'admin',
  summary: 'Recognize the columns of a file from its first 256 kB, or of a complete workbook or archive',
  changes: false,
  upload: 'file',
  responses: { 200: ImportPreview },
});

export const checkImport = endpoint({
  ...uploadImport,
  path: '/api/domains/upload/check',
  summary: 'Check what an import of a file would change',
  auditEvent: 'Checked an import file',
});

export const cancelImport = endpoint({
  method: 'DELETE',
  path: '/api/domains/import-status/:jobId',
  access: 'admin',
  summary: 'Cancel a running import or check',
  auditEvent: 'Canceled an import',
  params: importParams,
});
