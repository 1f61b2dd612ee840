import { type UnreadableCode, UnreadableFile } from '../../platform/csv/unreadable-file.ts';

const notAList = 'The server returned a file that is not a list, such as an image or a document. Check the address.';

/** What an admin reads about a download that failed. */
const sentences = {
  empty: 'The server returned an empty list. Check the address.',
  web_page: 'The server returned a web page instead of a list. Check the address.',
  binary: notAList,
  document: notAList,
  spreadsheet: 'The server returned a spreadsheet that cannot be read. Use a list in CSV or .xlsx.',
  archive: 'The archive cannot be unpacked. It is incomplete, damaged, protected by a password or of an unknown kind.',
  too_large: 'The archive unpacks to more than 500 MB, or to more than 200 times its size. Use a smaller list.',
  json: 'The JSON is incomplete or not valid. Check the address.',
  missing_columns: 'No column of the CSV contains domains. Check the address and the format.',
} satisfies Partial<Record<UnreadableCode, string>>;

export function listError(code: keyof typeof sentences): UnreadableFile {
  return new UnreadableFile(code, sentences[code]);
}

export const noJsonListError = () =>
  new UnreadableFile('json', 'The JSON contains no list of domains. Check the address.');

/** Returns the error for a list without names. `rejected` is the number of lines that are not comments. */
export function noNamesError(rejected: number): UnreadableFile {
  if (rejected === 0) return listError('empty');
  const lines = rejected === 1 ? '1 line was' : `${rejected.toLocaleString('en-US')} lines were`;
  return new UnreadableFile(
    'no_rows',
    `The list has no domain that can be listed: ${lines} skipped. Check the address and the format.`,
  );
}

/** Replaces what shared code says about uploads. Other errors pass through. */
export function toListError(error: unknown): unknown {
  if (!(error instanceof UnreadableFile) || error.code === 'json' || !(error.code in sentences)) return error;
  return listError(error.code as keyof typeof sentences);
}
