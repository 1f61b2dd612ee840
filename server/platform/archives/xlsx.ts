import { type Budget, maxCellLength } from './budget.ts';
import { parseXml } from './parse-xml.ts';
import { type Cell, openTableWriter, toLinkedText } from './table-writer.ts';
import type { Zip } from './zip.ts';

// The parts and elements are those of ECMA-376, Office Open XML, part 1, chapter 18 (SpreadsheetML).

/** A sheet of a workbook, with a function that writes it as CSV. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Writes the sheet to a new file. @returns false if the sheet is empty */
  write(path: string): Promise<boolean>;
}

/** Where the workbook is if the archive does not say it. */
const defaultWorkbookPath = 'xl/workbook.xml';

/** Whether the archive is an Excel workbook (.xlsx). */
export async function isXlsx(zip: Zip, budget: Budget): Promise<boolean> {
  const entry = findPart(zip, '[Content_Types].xml') && findPart(zip, await findWorkbook(zip, budget));
  if (!entry) return false;
  for await (const chunk of await zip.openEntry(entry)) {
    // UTF-16 has zeros between the letters.
    return /<(?:\w+:)?workbook[\s>]/.test(String(chunk).replaceAll('\0', ''));
  }
  return false;
}

/** Returns the sheets of an Excel workbook, in the order of its tabs. */
export async function listXlsxSheets(zip: Zip, budget: Budget): Promise<Sheet[]> {
  const workbook = await findWorkbook(zip, budget);
  const parts = await readRelationships(zip, workbook, budget);
  const textsPart = parts.find(({ type }) => type.endsWith('/sharedStrings'))?.target;
  let texts: SharedTexts | undefined;
  const sheets: Sheet[] = [];
  await parsePart(zip, workbook, budget, (element, attributes) => {
    if (element !== 'sheet') return;
    const id = getRelationshipId(attributes);
    const part = parts.find((one) => one.id === id)?.target;
    if (part === undefined) return;
    sheets.push({
      name: attributes.name ?? '',
      isHidden: (attributes.state ?? 'visible') !== 'visible',
      async write(path) {
        texts ??= await readSharedTexts(zip, textsPart ?? resolvePath(workbook, 'sharedStrings.xml'), budget);
        return writeSheet(zip, part, path, { texts, budget, findLink: await readLinks(zip, part, budget) });
      },
    });
  });
  return sheets;
}

async function findWorkbook(zip: Zip, budget: Budget): Promise<string> {
  const parts = await readRelationships(zip, '', budget);
  return parts.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? defaultWorkbookPath;
}

interface Relationship {
  id: string;
  type: string;
  /** The path of a part, or the address of a link. */
  target: string;
}

/** Returns what a part refers to; the part without a path is the archive. */
async function readRelationships(zip: Zip, part: string, budget: Budget): Promise<Relationship[]> {
  const relationships: Relationship[] = [];
  const at = part.lastIndexOf('/') + 1;
  await parsePart(zip, `${part.slice(0, at)}_rels/${part.slice(at)}.rels`, budget, (element, attributes) => {
    const { Id: id, Target: target, Type: type = '', TargetMode: mode } = attributes;
    if (element !== 'Relationship' || !id || !target) return;
    const isAddress = mode === 'External' || (type.endsWith('/hyperlink') && webAddress.test(target));
    relationships.push({ id, type, target: isAddress ? target : resolvePath(part, target) });
  });
  return relationships;
}

/** Programs do not always write the scheme. */
const webAddress = /^(?:https?:|www\.)/i;

/** Some programs write another prefix than r. */
function getRelationshipId(attributes: Record<string, string>): string | undefined {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
}

/** Returns the path of a part in the archive from a target, which is relative to the part that names it. */
function resolvePath(part: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  const names: string[] = path.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

/** Names of parts are compared without case and percent-encoding (ECMA-376, part 2, 6.2.2.3). */
function findPart({ entries }: Zip, path: string) {
  const exact = entries.get(path);
  if (exact) return exact;
  const wanted = toPartName(path);
  const name = [...entries.keys()].find((one) => toPartName(one) === wanted);
  return name === undefined ? undefined : entries.get(name);
}

function toPartName(path: string): string {
  try {
    return decodeURI(path).toLowerCase();
  } catch {
    // A name can contain a percent sign that encodes nothing.
    return path.toLowerCase();
  }
}

async function parsePart(
  zip: Zip,
  path: string,
  budget: Budget,
  onOpen: (name: string, attributes: Record<string, string>) => void,
): Promise<void> {
  const entry = findPart(zip, path);
  if (!entry) return;
  const ignore = () => undefined;
  await parseXml(await zip.openEntry(entry), budget, {
    onOpen: (name, attributes) => onOpen(toLocalName(name), attributes),
    onText: ignore,
    onClose: ignore,
  });
}

/** Returns the address behind a cell. Row and column are zero-based. */
type FindLink = (row: number, column: number) => string | undefined;

/**
 * Reads the links of a sheet, which come after its cells.
 * @returns undefined if the sheet has none
 */
async function readLinks(zip: Zip, part: string, budget: Budget): Promise<FindLink | undefined> {
  const relationships = await readRelationships(zip, part, budget);
  const addresses = new Map(
    relationships.flatMap(({ id, target }) => (webAddress.test(target) ? [[id, target] as const] : [])),
  );
  if (addresses.size === 0) return undefined;
  const byCell = new Map<string, string>();
  const ranges: { from: CellPosition; to: CellPosition; address: string }[] = [];
  let bytes = 0;
  await parsePart(zip, part, budget, (element, attributes) => {
    const address = element === 'hyperlink' ? addresses.get(getRelationshipId(attributes) ?? '') : undefined;
    if (address === undefined) return;
    bytes += address.length;
    budget.checkShared(bytes);
    const [first = '', last] = (attributes.ref ?? '').replaceAll('$', '').split(':');
    if (last === undefined) byCell.set(first.toUpperCase(), address);
    else if (ranges.length < maxLinkRanges) ranges.push({ from: toPosition(first), to: toPosition(last), address });
  });
  let inRow: { row: number; ranges: typeof ranges } = { row: -1, ranges: [] };
  return (row, column) => {
    const own = byCell.get(toReference(row, column));
    // The link of a range that includes the first row is not that of a header.
    if (own !== undefined || row === 0) return own;
    if (inRow.row !== row) {
      const found = ranges.filter(({ from, to }) => row >= from.row && row <= to.row);
      inRow = { row, ranges: found.slice(0, maxRowRanges) };
    }
    return inRow.ranges.find(({ from, to }) => column >= from.column && column <= to.column)?.address;
  };
}

/** Programs write one range for each cell, or a few for many cells. Each row searches all of them. */
const maxLinkRanges = 1000;
/** Ranges of one row. Each of its cells searches all of them. */
const maxRowRanges = 20;

/** The texts that cells refer to by number, as bytes, because strings would need several times the memory. */
interface SharedTexts {
  /** Returns the number of bytes of a text. */
  measure(number: number): number;
  get(number: number): string;
}

async function readSharedTexts(zip: Zip, part: string, budget: Budget): Promise<SharedTexts> {
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

  const entry = findPart(zip, part);
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
        if (element === 'si') add(budget.cutCell(decodeEscapes(text)));
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
  { texts, budget, findLink }: { texts: SharedTexts; budget: Budget; findLink: FindLink | undefined },
): Promise<boolean> {
  const writer = await openTableWriter(path, budget);
  const entry = findPart(zip, part);
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
    const written = /^HYPERLINK\(\s*"([^"]+)"\s*[,)]/i.exec(formula)?.[1];
    const isLink = written !== undefined && value === '';
    const shared = !isLink && type === 's' ? Number(value) : undefined;
    rowBytes += shared === undefined ? Buffer.byteLength(isLink ? formula : value) : texts.measure(shared);
    budget.checkRow(rowBytes);
    const own = shared === undefined ? readOwnText(isLink) : texts.get(shared);
    const address = isLink || own === '' ? undefined : (written ?? findLink?.(row, column));
    const text = address === undefined ? own : budget.cutCell(toLinkedText(own, address));
    rowBytes += Buffer.byteLength(address ?? '');
    budget.checkRow(rowBytes);
    if (text !== '') cells.push({ column, text, repeat: 1 });
  }

  function readOwnText(isLink: boolean): string {
    if (isLink) return budget.cutCell(`=${formula}`);
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    return budget.cutCell(decodeEscapes(value));
  }

  function addRow(): void {
    const isSorted = cells.every(({ column }, i) => column > (cells[i - 1]?.column ?? -1));
    // Of two cells in the same place, the last one counts.
    const byColumn = isSorted ? cells : [...new Map(cells.map((cell) => [cell.column, cell])).values()];
    writer.add(row, isSorted ? cells : byColumn.sort((a, b) => a.column - b.column));
  }

  try {
    if (entry) {
      // With links, the bytes have been counted before.
      const counted = findLink ? { ...budget, addBytes: () => {} } : budget;
      await parseXml(await zip.openEntry(entry), counted, {
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

interface CellPosition {
  row: number;
  column: number;
}

/** Returns the zero-based position of a cell reference such as 'AB12'. */
function toPosition(reference: string): CellPosition {
  return { row: Number(/\d+/.exec(reference)?.[0]) - 1, column: toColumn(reference) };
}

function toReference(row: number, column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}

/** Decodes characters that XML cannot contain, such as `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
