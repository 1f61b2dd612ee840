import { type UnreadableCode, UnreadableFile } from './unreadable-file.ts';

const saveAsCsv = 'Save or export it as CSV first.';

/** First bytes of common formats that are not CSV, from the specifications of these formats. */
const signatures: readonly (readonly [prefix: string, code: UnreadableCode, sentence: string])[] = [
  [
    '\xd0\xcf\x11\xe0',
    'spreadsheet',
    `This is an old or password-protected Excel workbook, not a CSV file. ${saveAsCsv}`,
  ],
  ['\x1f\x8b', 'archive', 'This is a gzip archive. Unpack it and choose the CSV file inside.'],
  ['Rar!', 'archive', 'This is a RAR archive. Unpack it and choose the CSV file inside.'],
  ['7z\xbc\xaf\x27\x1c', 'archive', 'This is a 7-Zip archive. Unpack it and choose the CSV file inside.'],
  ['%PDF', 'document', `This is a PDF document, not a CSV file. ${saveAsCsv}`],
  ['{\\rtf', 'document', `This is a text document, not a CSV file. ${saveAsCsv}`],
  ['\x89PNG', 'binary', 'This is an image, not a CSV or Excel file. Choose the exported file.'],
  ['\xff\xd8\xff', 'binary', 'This is an image, not a CSV or Excel file. Choose the exported file.'],
  ['GIF8', 'binary', 'This is an image, not a CSV or Excel file. Choose the exported file.'],
];

/** First bytes of a zip archive with files, an empty one, and a split one (APPNOTE.TXT, PKWARE). */
const zipSignatures = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/**
 * Rejects binary files. `head` is the start of the file as it is stored.
 * @throws UnreadableFile for archives, workbooks, documents, images and other binary content
 */
export function rejectBinary(head: Buffer, isUtf16: boolean): void {
  const start = head.toString('latin1', 0, 8);
  if (zipSignatures.some((prefix) => start.startsWith(prefix))) throw zipError(head);
  // Word 97-2003: the name of a stream, in UTF-16.
  if (start.startsWith('\xd0\xcf\x11\xe0') && head.includes(Buffer.from('WordDocument', 'utf16le'))) {
    throw new UnreadableFile('document', `This is a document, not a CSV file. ${saveAsCsv}`);
  }
  for (const [prefix, code, sentence] of signatures) {
    if (start.startsWith(prefix)) throw new UnreadableFile(code, sentence);
  }
  if (!isUtf16 && shareOfNul(head) > 0.1) {
    throw new UnreadableFile(
      'binary',
      `This is not a text file. ${saveAsCsv} If you can choose an encoding, choose UTF-8.`,
    );
  }
}

/**
 * Rejects text in formats other than CSV. `text` is the decoded start of the file, without its byte order mark.
 * @throws UnreadableFile for empty files, web pages and, without `allowJson`, JSON
 */
export function rejectOtherText(text: string, { allowJson = false } = {}): void {
  const start = startOfText(text);
  if (start === '' && text.trim() === '') {
    throw new UnreadableFile('empty', 'The file is empty. Export it again and check that it has rows.');
  }
  if (/^<(!doctype|html|head|body|table|\?xml|!--)/.test(start)) {
    throw new UnreadableFile(
      'web_page',
      'This is a web page, not a CSV file. The download probably failed or requires a login. Export the file again.',
    );
  }
  if (!allowJson && isJson(text)) {
    throw new UnreadableFile('json', `This is a JSON file, not a CSV file. ${saveAsCsv}`);
  }
}

/** Whether a text starts like a JSON array or object. */
export function isJson(text: string): boolean {
  return /^(\[\s*[[{"\]]|\{\s*["}])/.test(startOfText(text));
}

function startOfText(text: string): string {
  return text.slice(0, 4096).trimStart().slice(0, 200).toLowerCase();
}

/** Names of parts that only text documents and presentations have. */
const documentParts = ['word/document', 'ppt/presentation', 'opendocument.text', 'opendocument.presentation'];

function zipError(head: Buffer): UnreadableFile {
  if (documentParts.some((part) => head.includes(part))) {
    return new UnreadableFile('document', `This is a document, not a CSV file. ${saveAsCsv}`);
  }
  const isWorkbook = head.includes('[Content_Types].xml') || head.includes('xl/') || head.includes('opendocument');
  return isWorkbook
    ? new UnreadableFile('spreadsheet', `This is a spreadsheet workbook, not a CSV file. ${saveAsCsv}`)
    : new UnreadableFile('archive', 'This is a zip archive. Unpack it and choose the CSV file inside.');
}

function shareOfNul(head: Buffer): number {
  let count = 0;
  for (const byte of head) if (byte === 0) count += 1;
  return head.length === 0 ? 0 : count / head.length;
}
