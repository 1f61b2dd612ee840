import { stat } from 'node:fs/promises';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { IgnoredTable } from '#shared/reports/reports.ts';
import type { StoredFile, UnpackedFiles } from '../../platform/archives/archives.ts';
import { type Budget, createBudget } from '../../platform/archives/budget.ts';
import { readKind } from '../../platform/archives/kind.ts';
import { type FileHead, type GrowingFile, readHead } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { OwnSite } from './own-site.ts';
import { type GivenColumn, maxLeftOut, planReading, type ReadingPlan } from './source-column.ts';
import { insteadExport } from './wrong-reports.ts';

/** The user's answers to questions about an upload. */
export interface UploadAnswers {
  /** Zero-based columns with the linking pages, by the name of the table. */
  columns: Record<string, number>;
  /** Other sites whose links are to be analyzed. */
  sites: string[];
}

export interface OpenOptions {
  /** Where unpacked tables are written. */
  folder: string;
  /** The header name of the source column, for every table. Without it the column is detected. */
  column?: string | undefined;
  answers?: UploadAnswers | undefined;
  /** Throw `UnansweredQuestion` instead of using the most likely answer. */
  ask?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Thrown for an upload that cannot be read as intended without an answer of the user. */
export class UnansweredQuestion extends Error {
  readonly question: UploadQuestion;

  constructor(question: UploadQuestion) {
    super(`The upload leaves a question about the ${question.about} of ${question.file}.`);
    this.question = question;
  }
}

/** One table of an upload, ready to be read. */
export interface Table {
  path: string;
  /** The name of the file and, for an archive or workbook, of the table in it. */
  name: string;
  bytes: number;
  growing?: GrowingFile | undefined;
  encoding: FileHead['encoding'];
  markBytes: number;
  hasQuotedLines: boolean | undefined;
  plan: ReadingPlan;
}

interface OpenedTables extends AsyncDisposable {
  tables: Table[];
  ignored: IgnoredTable[];
}

/**
 * Unpacks the files of an upload and plans how to read each table. In an archive or workbook, only the tables that list
 * backlinks are read: those with linking pages if there are any, otherwise those with linking domains.
 * @throws UnreadableFile for a file without backlinks, UnansweredQuestion, the signal's reason if aborted
 */
export async function openTables(
  files: readonly StoredFile[],
  site: OwnSite,
  options: OpenOptions,
): Promise<OpenedTables> {
  await using unpacked = new AsyncDisposableStack();
  const tables: Table[] = [];
  const ignored: IgnoredTable[] = [];
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  const budget = createBudget(sizes.reduce((sum, size) => sum + size, 0));
  for (const file of files) {
    try {
      const contents = unpacked.use(await unpack(file, { ...options, budget }));
      const opened = await openFile(contents, site, options);
      if (options.ask) askAboutDisavow(file, opened.tables);
      tables.push(...opened.tables);
      ignored.push(...opened.ignored);
    } catch (error) {
      if (!(error instanceof UnreadableFile) || files.length === 1) throw error;
      throw new UnreadableFile(error.code, `${file.name}: ${error.message}`);
    }
  }
  if (options.ask) askQuestions(tables, options.answers?.sites ?? []);
  const stack = unpacked.move();
  return { tables, ignored, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Unpacks an archive or workbook. Loads the code for that only then, because each analysis runs in a new process. */
async function unpack(file: StoredFile, options: OpenOptions & { budget: Budget }): Promise<UnpackedFiles> {
  if ((await readKind(file.path)) === 'other') {
    return { tables: [file], ignored: [], [Symbol.asyncDispose]: async () => {} };
  }
  const { unpackTables } = await import('../../platform/archives/archives.ts');
  return unpackTables(file, options);
}

/** Plans the tables of one file. Tables of an archive that list no backlinks are ignored, each with its reason. */
async function openFile(contents: UnpackedFiles, site: OwnSite, options: OpenOptions) {
  const ignored: IgnoredTable[] = contents.ignored.map(({ name, reason }) => ({ file: name, reason }));
  const tables: Table[] = [];
  const errors: UnreadableFile[] = [];
  for (const file of contents.tables) {
    const { name } = file;
    options.signal?.throwIfAborted();
    try {
      tables.push(await planTable(file, site, options));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      errors.push(error);
      ignored.push({ file: name, reason: error.message });
    }
  }
  const chosen = chooseTables(tables, options.answers);
  if (chosen.length === 0) throw noTableError(errors, ignored);
  for (const table of tables) {
    if (chosen.includes(table)) continue;
    ignored.push({ file: table.name, reason: explainUnchosen(table) });
  }
  return { tables: chosen, ignored };
}

async function planTable(
  { path, name, delimiter, growing }: UnpackedFiles['tables'][number],
  site: OwnSite,
  { column, answers }: OpenOptions,
): Promise<Table> {
  const [head, { size }] = await Promise.all([readHead(path), stat(path)]);
  const given: GivenColumn = findAnswer(answers, name) ?? column;
  const { encoding, markBytes, hasQuotedLines } = head;
  const plan = planReading({ ...head, delimiter: hasQuotedLines ? undefined : delimiter }, site, given);
  return { path, name, bytes: growing?.expectedBytes ?? size, growing, encoding, markBytes, hasQuotedLines, plan };
}

/**
 * Plans a table below another one of its file.
 * @throws UnreadableFile, UnansweredQuestion
 */
export function planBelow(
  name: string,
  head: Pick<FileHead, 'bytes' | 'complete'>,
  site: OwnSite,
  { answers, ask }: OpenOptions,
): ReadingPlan {
  const plan = planReading({ ...head, encoding: 'UTF-8', markBytes: 0 }, site, findAnswer(answers, name), maxLeftOut);
  if (ask) askQuestions([{ name, plan }], answers?.sites ?? []);
  return plan;
}

/** Any name is possible, also that of a property which every object has. */
function findAnswer(answers: UploadAnswers | undefined, name: string): number | undefined {
  return answers !== undefined && Object.hasOwn(answers.columns, name) ? answers.columns[name] : undefined;
}

/** A table whose question is answered counts as unclear, so that the next one is asked about too. */
function chooseTables(tables: Table[], answers: UploadAnswers | undefined): Table[] {
  const clear = tables.filter(({ name, plan }) => !plan.question && findAnswer(answers, name) === undefined);
  const candidates = clear.length > 0 ? clear : tables;
  const lists = candidates.filter(({ plan }) => !plan.isText);
  const named = lists.length > 0 ? lists : candidates;
  const pages = named.filter(({ plan }) => plan.listsPages);
  return pages.length > 0 ? pages : named;
}

function explainUnchosen({ plan }: Table): string {
  if (plan.question) return 'It is not clear which column contains the linking pages, and another table contains it.';
  if (plan.isText) return 'It is mostly text, and another table lists addresses.';
  return 'It lists only domains, and another table lists the linking pages.';
}

function noTableError(errors: readonly UnreadableFile[], ignored: readonly IgnoredTable[]): UnreadableFile {
  const [error] = errors;
  if (error !== undefined && ignored.length === 1) return error;
  // Every reason ends with the same advice.
  const reasons = ignored.map(({ file, reason }) => `${file}: ${reason.replace(insteadExport, '').trim()}`);
  const advice = ignored.some(({ reason }) => reason.endsWith(insteadExport)) ? [insteadExport] : [];
  const sentences = ['None of the tables in this file lists backlinks.', ...reasons, ...advice];
  return new UnreadableFile(error?.code ?? 'archive', sentences.join(' '));
}

/** @throws UnreadableFile for a disavow file in an archive or workbook, which cannot be merged as it is */
function askAboutDisavow({ name, path }: StoredFile, tables: readonly Table[]): void {
  for (const { plan, path: unpacked, name: table } of tables) {
    if (!plan.isDisavow) continue;
    if (unpacked === path) throw new UnansweredQuestion({ about: 'disavow', file: name });
    const advice = `Save it as a text file of its own, and upload ${tables.length > 1 ? 'both' : 'that'}.`;
    throw new UnreadableFile('wrong_report', `${table} is a disavow file. ${advice}`);
  }
}

function askQuestions(tables: readonly Pick<Table, 'name' | 'plan'>[], confirmedSites: readonly string[]): void {
  for (const { name, plan } of tables) {
    if (plan.question) throw new UnansweredQuestion({ ...plan.question, file: name });
  }
  for (const { name, plan } of tables) {
    const site = plan.format.otherSite;
    if (site !== null && !confirmedSites.includes(site)) {
      throw new UnansweredQuestion({ about: 'site', file: name, site });
    }
  }
}
