import { type Budget, maxCellLength } from './budget.ts';
import { parseXml } from './parse-xml.ts';
import { type Cell, openTableWriter } from './table-writer.ts';
import type { Zip } from './zip.ts';

// The parts and elements are those of ECMA-376, Office Open XML, part 1, chapter 18 (SpreadsheetML).

/** A sheet of a workbook, with a function that writes it as CSV. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Writes the sheet to a new file. @returns false if the sheet is empty */
  write(path: string): Promise<boolean>;
}

const workbookPath = 'xl/workbook.xml';

/** Whether the archive is an Excel workbook (.xlsx). */
export const isXlsx = ({ entries }: Zip): boolean => entries.has('[Content_Types].xml') && entries.has(workbookPath);

/** Returns the sheets of an Excel workbook, in the order of its tabs. */
export async function listXlsxSheets(zip: Zip, budget: Budget): Promise<Sheet[]> {
  const parts = await readRelationships(zip, budget);
  let texts: SharedTexts | undefined;
  const sheets: Sheet[] = [];
  await parsePart(zip, workbookPath, budget, (element, attributes) => {
    if (element !== 'sheet') return;
    // Some programs write another prefix than r.
    const id = Object.keys(attributes).find((name) => name.endsWith(':id')) ?? '';
    const part = parts.get(attributes[id] ?? '');
    if (part === undefined) return;
    sheets.push({
      name: attributes.name ?? '',
      isHidden: (attributes.state ?? 'visible') !== 'visible',
      async write(path) {
        texts ??= await readSharedTexts(zip, budget);
        return writeSheet(zip, part, path, { texts, budget });
      },
    });
  });
  return sheets;
}

/** Returns the paths of the workbook's parts by relationship id. */
async function readRelationships(zip: Zip, budget: Budget): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  await parsePart(zip, 'xl/_rels/workbook.xml.rels', budget, (element, { Id, Target }) => {
    if (element !== 'Relationship' || !Id || !Target) return;
    parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  return parts;
}

async function parsePart(
  zip: Zip,
  path: string,
  budget: Budget,
  onOpen: (name: string, attributes: Record<string, string>) => void,
): Promise<void> {
  const entry = zip.entries.get(path);
  if (!entry) return;
  const ignore = () => undefined;
  await parseXml(await zip.openEntry(entry), budget, {
    onOpen: (name, attributes) => onOpen(toLocalName(name), attributes),
    onText: ignore,
    onClose: ignore,
  });
}

/** The texts that cells refer to by number, as bytes, because strings would need several times the memory. */
interface SharedTexts {
  /** Returns the number of bytes of a text. */
  measure(number: number): number;
  get(number: number): string;
}

async function readSharedTexts(zip: Zip, budget: Budget): Promise<SharedTexts> {
  let bytes = Buffer.alloc(65_536);
  let ends = new Uint32Array(1024);
  let count = 0;
  let used = 0;

  function add(text: string): void {
    const length = Buffer.byteLength(text);
    budget.checkShared(used + length);
    if (used + length > bytes.length) {
      bytes = Buffer.concat([bytes.subarray(0, used)], Math.max(used + length, bytes.length * 2));
    }
    if (count === ends.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(ends);
      ends = larger;
    }
    used += bytes.write(text, used);
    ends[count] = used;
    count += 1;
  }

  const entry = zip.entries.get('xl/sharedStrings.xml');
  if (entry) {
    let text = '';
    let isText = false;
    let isPhonetic = false;
    await parseXml(await zip.openEntry(entry), budget, {
      onOpen(name) {
        const element = toLocalName(name);
        if (element === 'si') text = '';
        else if (element === 't') isText = !isPhonetic;
        else if (element === 'rPh') isPhonetic = true;
      },
      onText(part) {
        if (isText && text.length <= maxCellLength) text += part;
      },
      onClose(name) {
        const element = toLocalName(name);
        if (element === 'si') add(budget.cutCell(text));
        else if (element === 't') isText = false;
        else if (element === 'rPh') isPhonetic = false;
      },
    });
  }
  const findRange = (number: number) =>
    number >= 0 && number < count ? ([number === 0 ? 0 : (ends[number - 1] ?? 0), ends[number] ?? 0] as const) : [0, 0];
  // Cells often repeat the text of the one before, which then needs no new string.
  let last = { number: -1, text: '' };
  return {
    measure(number) {
      const [start = 0, end = 0] = findRange(number);
      return end - start;
    },
    get(number) {
      if (last.number !== number) last = { number, text: bytes.toString('utf8', ...findRange(number)) };
      return last.text;
    },
  };
}

async function writeSheet(
  zip: Zip,
  part: string,
  path: string,
  { texts, budget }: { texts: SharedTexts; budget: Budget },
): Promise<boolean> {
  const writer = await openTableWriter(path, budget);
  const entry = zip.entries.get(part);
  let row = -1;
  let cells: Cell[] = [];
  let rowBytes = 0;
  let column = -1;
  let type = '';
  let value = '';
  let formula = '';
  let collecting: 'value' | 'formula' | undefined;
  let isPhonetic = false;

  function addCell(): void {
    if (column < 0 || column >= budget.limits.maxColumns) return;
    // The address can also be in another cell. The value is its text then.
    const isLink = /^HYPERLINK\(\s*"[^"]+"\s*[,)]/i.test(formula);
    const shared = !isLink && type === 's' ? Number(value) : undefined;
    rowBytes += shared === undefined ? Buffer.byteLength(isLink ? formula : value) : texts.measure(shared);
    budget.checkRow(rowBytes);
    const text = shared === undefined ? readOwnText(isLink) : texts.get(shared);
    if (text !== '') cells.push({ column, text, repeat: 1 });
  }

  function readOwnText(isLink: boolean): string {
    if (isLink) return budget.cutCell(`=${formula}`);
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    return budget.cutCell(value);
  }

  function addRow(): void {
    const isSorted = cells.every(({ column }, i) => column > (cells[i - 1]?.column ?? -1));
    // Of two cells in the same place, the last one counts.
    const byColumn = isSorted ? cells : [...new Map(cells.map((cell) => [cell.column, cell])).values()];
    writer.add(row, isSorted ? cells : byColumn.sort((a, b) => a.column - b.column));
  }

  try {
    if (entry) {
      await parseXml(await zip.openEntry(entry), budget, {
        onOpen(name, attributes) {
          const element = toLocalName(name);
          if (element === 'row') {
            row = toRow(attributes.r) ?? row + 1;
            cells = [];
            rowBytes = 0;
            column = -1;
          } else if (element === 'c') {
            column = attributes.r ? toColumn(attributes.r) : column + 1;
            type = attributes.t ?? '';
            value = '';
            formula = '';
          } else if (element === 'v' || (element === 't' && !isPhonetic)) collecting = 'value';
          else if (element === 'f') collecting = 'formula';
          else if (element === 'rPh') isPhonetic = true;
        },
        onText(text) {
          if (collecting === 'value' && value.length <= maxCellLength) value += text;
          else if (collecting === 'formula' && formula.length <= maxCellLength) formula += text;
        },
        onClose(name) {
          const element = toLocalName(name);
          if (element === 'c') addCell();
          else if (element === 'row') addRow();
          else if (element === 'v' || element === 't' || element === 'f') collecting = undefined;
          else if (element === 'rPh') isPhonetic = false;
        },
        onChunk: writer.drain,
      });
    }
  } catch (error) {
    await writer.finish();
    throw error;
  }
  return writer.finish();
}

const toLocalName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Returns the zero-based number of a row; undefined if the file does not contain it. */
function toRow(reference: string | undefined): number | undefined {
  const row = Number(reference) - 1;
  return Number.isSafeInteger(row) && row >= 0 ? row : undefined;
}

/** Returns the zero-based column of a cell reference such as 'AB12'. */
function toColumn(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i += 1) {
    const code = reference.charCodeAt(i) & 0xdf;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}
