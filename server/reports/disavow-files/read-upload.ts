import { maxDisavowFileLines } from '#shared/reports/disavow-files.ts';
import { readHead } from '../../platform/csv/file-bytes.ts';
import { type UnreadableCode, UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { hasMoreLines, type ParsedLine, parseLines } from './parse.ts';

const uploadInstead = 'Upload the text file with your disavow list: one “domain:” line or URL per line.';

/** What a file is that is no text, and what to upload instead. Every other code is about tables. */
const sentences: Partial<Record<UnreadableCode, string>> = {
  empty: `The file is empty. ${uploadInstead}`,
  spreadsheet: `This is a spreadsheet. ${uploadInstead}`,
  archive: 'This is an archive. Unpack it, and upload the text file inside.',
  document: `This is a document. ${uploadInstead}`,
  web_page: `This is a web page. ${uploadInstead}`,
  json: `This is a JSON file. ${uploadInstead}`,
};

/**
 * Returns the text of an uploaded disavow file, in whatever encoding it is, and its lines.
 * @throws 400 for too many lines and for a file that is not a disavow file
 */
export async function readDisavowUpload({
  path,
  bytes,
}: {
  path: string;
  bytes: number;
}): Promise<{ text: string; lines: ParsedLine[] }> {
  const text = await decode(path, bytes);
  if (hasMoreLines(text, maxDisavowFileLines)) {
    throw invalidField(
      'file',
      `The file has more than ${maxDisavowFileLines.toLocaleString('en-US')} lines. Remove lines first.`,
    );
  }
  const lines = parseLines(text);
  if (isTable(lines)) {
    throw invalidField('file', `This is a table, such as a backlink export, not a disavow file. ${uploadInstead}`);
  }
  return { text, lines };
}

async function decode(path: string, bytes: number): Promise<string> {
  try {
    // One more byte than the file has, so that the head is known to be complete.
    const head = await readHead(path, { bytes: bytes + 1 });
    // PostgreSQL stores no NUL.
    return head.bytes.toString('utf8').replaceAll('\0', '\ufffd');
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw invalidField('file', sentences[error.code] ?? `This is not a text file. ${uploadInstead}`);
  }
}

/** A delimiter with another cell after it. */
const delimiter = /[\t,;|]\s*\S/;
/** A second cell with a URL. Pages with a comma in their names have none. */
const secondUrl = /[\t,;|]\s*["']?https?:\/\//i;

/**
 * Whether most lines are rows of a table. A URL can contain delimiters, so lines with a valid one count only below a
 * header, or if they have two URLs.
 */
function isTable(lines: readonly ParsedLine[]): boolean {
  const entries = lines.filter(({ kind }) => kind !== 'comment');
  const delimited = entries.filter(({ text }) => delimiter.test(text));
  const [first] = entries;
  const hasHeader = first?.kind === 'invalid' && delimiter.test(first.text);
  const rows = hasHeader ? delimited : delimited.filter(({ kind, text }) => kind === 'invalid' || secondUrl.test(text));
  return rows.length * 2 > entries.length;
}
