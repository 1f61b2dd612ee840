import { type Budget, maxCellLength } from './budget.ts';
import { parseXml } from './parse-xml.ts';
import { type Cell, openTableWriter, type TableWriter, toLinkedText } from './table-writer.ts';
import type { Zip } from './zip.ts';

// The elements are those of OASIS OpenDocument 1.3, part 3, chapter 9 (Tables).

const contentPath = 'content.xml';
/** Rows of a sheet. A repeated row can claim any number of them. */
const maxRows = 1_048_576;

/** Whether the archive is an OpenDocument spreadsheet (.ods), whose first entry names its type. */
export async function isOds(zip: Zip): Promise<boolean> {
  const mimetype = zip.entries.get('mimetype');
  if (!mimetype || mimetype.uncompressedSize > 100 || !zip.entries.has(contentPath)) return false;
  let type = '';
  for await (const chunk of await zip.openEntry(mimetype)) type += chunk;
  return type.trim() === 'application/vnd.oasis.opendocument.spreadsheet';
}

interface OdsTable {
  name: string;
  path: string;
  isHidden: boolean;
  /** Also true for a hidden table, which is not read. */
  isEmpty: boolean;
}

/** A table that is being read, with the rows since the last chunk. */
interface OpenSheet {
  name: string;
  isHidden: boolean;
  rows: { row: number; cells: Cell[]; repeat: number }[];
  isClosed: boolean;
}

/**
 * Writes the tables of an OpenDocument spreadsheet as CSV, in their order.
 * @param createPath returns the path of a new file
 */
export async function writeOdsTables(zip: Zip, budget: Budget, createPath: () => string): Promise<OdsTable[]> {
  const entry = zip.entries.get(contentPath);
  if (!entry) return [];
  const tables: OdsTable[] = [];
  let writer: TableWriter | undefined;
  let opened: { name: string; path: string; isHidden: boolean } | undefined;
  /** Tables that were closed since the last chunk. Files are opened and closed only between chunks. */
  const sheets: OpenSheet[] = [];
  const reader = createSheetReader(sheets, budget);

  async function write(): Promise<void> {
    for (let sheet = sheets[0]; sheet; sheet = sheets[0]) {
      if (!opened) {
        opened = { name: sheet.name, path: createPath(), isHidden: sheet.isHidden };
        writer = await openTableWriter(opened.path, budget);
      }
      for (const { row, cells, repeat } of sheet.rows.splice(0)) await writer?.addRepeated(row, cells, repeat);
      if (!sheet.isClosed) return;
      sheets.shift();
      tables.push({ ...opened, isEmpty: !(await writer?.finish()) });
      opened = undefined;
      writer = undefined;
    }
  }

  try {
    await parseXml(await zip.openEntry(entry), budget, { ...reader, onChunk: write });
    await write();
    return tables;
  } catch (error) {
    await writer?.finish();
    throw error;
  }
}

/** Returns handlers that add the rows of each table to `sheets`. */
function createSheetReader(sheets: OpenSheet[], budget: Budget) {
  const { maxColumns } = budget.limits;
  /** The styles of hidden tables. Styles come before the tables. */
  const hiddenStyles = new Set<string>();
  let style = '';
  let row = 0;
  let rowRepeat = 1;
  let cells: Cell[] = [];
  let column = 0;
  let rowBytes = 0;
  let cellRepeat = 1;
  let formula = '';
  let address = '';
  let date = '';
  let text = '';
  let paragraphs = 0;
  let isParagraph = false;
  let annotations = 0;

  /** A longer text is cut, so the rest of it is not collected. */
  function addText(part: string): void {
    if (text.length <= maxCellLength) text += part;
  }

  function closeCell(): void {
    const linked = address === '' ? text : toLinkedText(text, address);
    // The text of a date has the order of its spreadsheet.
    const value = budget.cutCell(text === '' ? formula : date || linked);
    const repeat = Math.min(cellRepeat, maxColumns - column);
    if (value !== '' && repeat > 0) {
      rowBytes += Buffer.byteLength(value) * repeat;
      budget.checkRow(rowBytes);
      cells.push({ column, text: value, repeat });
    }
    column += cellRepeat;
  }

  function closeRow(): void {
    // A repeated row is only written if it has text: a sheet ends with a million empty rows.
    const sheet = sheets.at(-1);
    const repeat = Math.min(rowRepeat, Math.max(1, maxRows - row));
    if (cells.length > 0 && !sheet?.isHidden) sheet?.rows.push({ row, cells, repeat });
    row += repeat;
  }

  return {
    onOpen(name: string, attributes: Record<string, string>): void {
      if (name === 'table:table') {
        const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
        budget.addEntries(1);
        sheets.push({ name: attributes['table:name'] ?? '', isHidden, rows: [], isClosed: false });
        row = 0;
      } else if (name === 'style:style') style = attributes['style:name'] ?? '';
      else if (name === 'style:table-properties') {
        if (attributes['table:display'] === 'false') hiddenStyles.add(style);
      } else if (name === 'table:table-row') {
        rowRepeat = toCount(attributes['table:number-rows-repeated']);
        cells = [];
        column = 0;
        rowBytes = 0;
      } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
        cellRepeat = toCount(attributes['table:number-columns-repeated']);
        const link = /^of:(=HYPERLINK\(\s*"([^"]+)"\s*[;)].*)/is.exec(attributes['table:formula'] ?? '');
        [, formula = '', address = ''] = link ?? [];
        date = attributes['office:date-value'] ?? '';
        text = '';
        paragraphs = 0;
      } else if (name === 'office:annotation') annotations += 1;
      else if (annotations > 0) return;
      else if (name === 'text:a') {
        const link = attributes['xlink:href'] ?? '';
        if (address === '' && /^https?:/i.test(link)) address = link;
      } else if (name === 'text:p') {
        if (paragraphs > 0) addText('\n');
        paragraphs += 1;
        isParagraph = true;
      } else if (name === 'text:s') addText(' '.repeat(Math.min(100, toCount(attributes['text:c']))));
      else if (name === 'text:tab') addText('\t');
      else if (name === 'text:line-break') addText('\n');
    },
    onText(part: string): void {
      if (isParagraph && annotations === 0) addText(part);
    },
    onClose(name: string): void {
      if (name === 'table:table') {
        const sheet = sheets.at(-1);
        if (sheet) sheet.isClosed = true;
      } else if (name === 'table:table-row') closeRow();
      else if (name === 'table:table-cell' || name === 'table:covered-table-cell') closeCell();
      else if (name === 'office:annotation') annotations -= 1;
      else if (name === 'text:p') isParagraph = false;
    },
  };
}

function toCount(repeated: string | undefined): number {
  const count = Number(repeated ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}
