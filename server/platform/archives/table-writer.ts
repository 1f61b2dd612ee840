import { type FileHandle, open } from 'node:fs/promises';
import { formatLinkedCell } from '../csv/linked-cell.ts';
import type { Budget } from './budget.ts';

/** The byte between the cells of a sheet: a comma. */
export const sheetDelimiter = 44;
const flushLength = 65_536;
/** Empty rows between two others are written up to this number, so that line numbers are those of the sheet. */
const maxEmptyRows = 1000;

/** A filled cell, or several equal ones next to each other. Its text is at most `maxCellLength` characters. */
export interface Cell {
  /** Zero-based. */
  column: number;
  text: string;
  repeat: number;
}

/**
 * Writes the rows of a sheet as CSV. All rows get as many cells as the first one, or more. Empty rows and cells are not
 * added: the space for them follows from the position of the others.
 */
export interface TableWriter {
  /** `row` is the zero-based number of the row in the sheet. The cells are in the order of their columns. */
  add(row: number, cells: readonly Cell[]): void;
  /** Adds the same row `repeat` times. @throws before it writes them if they are more than the budget allows */
  addRepeated(row: number, cells: readonly Cell[], repeat: number): Promise<void>;
  /** Waits until the rows so far are written, if there are many. */
  drain(): Promise<void>;
  /** Writes the rest. @returns whether the sheet has any text */
  finish(): Promise<boolean>;
}

/** Opens a writer to a new file. Call `finish`, also after an error. */
export async function openTableWriter(path: string, budget: Budget): Promise<TableWriter> {
  const file: FileHandle = await open(path, 'wx');
  let text = '';
  let width = 0;
  let nextRow = 0;

  async function write(): Promise<void> {
    const bytes = Buffer.from(text);
    text = '';
    await file.writeFile(bytes);
  }

  /** Adds a row once, after the empty rows before it, and charges the budget for all repetitions. @returns its line */
  function addOnce(row: number, cells: readonly Cell[], repeat: number): string {
    const last = cells.at(-1);
    if (!last) return '';
    const end = last.column + last.repeat;
    if (width === 0) width = end;
    const emptyRows = Math.min(maxEmptyRows, Math.max(0, row - nextRow));
    nextRow = row + repeat;
    // The repetitions can be too much, although the row is not. They are charged before they are written.
    const minLength = measureTexts(cells) + Math.max(width, end);
    budget.addBytes(emptyRows + minLength * repeat);
    const line = formatRow(cells, width);
    budget.addBytes((line.length - minLength) * repeat);
    text += '\n'.repeat(emptyRows) + line;
    return line;
  }

  return {
    add(row, cells) {
      addOnce(row, cells, 1);
    },
    async addRepeated(row, cells, repeat) {
      const line = addOnce(row, cells, repeat);
      if (line === '') return;
      for (let i = 1; i < repeat; i += 1) {
        if (text.length >= flushLength) await write();
        text += line;
      }
      if (text.length >= flushLength) await write();
    },
    async drain() {
      if (text.length >= flushLength) await write();
    },
    async finish() {
      try {
        await write();
      } finally {
        await file.close();
      }
      return width > 0;
    },
  };
}

/** Returns the length of the texts of a row without quotation marks. */
const measureTexts = (cells: readonly Cell[]): number =>
  cells.reduce((length, { text, repeat }) => length + text.length * repeat, 0);

function formatRow(cells: readonly Cell[], width: number): string {
  const parts: string[] = [];
  let commas = 0;
  const addCommas = (column: number) => {
    if (column > commas) parts.push(','.repeat(column - commas));
    commas = Math.max(commas, column);
  };
  for (const { column, text, repeat } of cells) {
    addCommas(column);
    const cell = /[",\r\n]|^\s|\s$/.test(text) ? quote(text) : text;
    parts.push(`${cell},`.repeat(repeat - 1), cell);
    commas += repeat - 1;
  }
  addCommas(width - 1);
  parts.push('\n');
  return parts.join('');
}

/** Line breaks in a cell become spaces, so that each row is one line. */
const quote = (cell: string): string => `"${cell.replace(/\r\n?|\n/g, ' ').replaceAll('"', '""')}"`;

/** A host or URL, perhaps of another page than the link behind the text. */
const addressText = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/\S|[^\s/@]+\.[^\s/.@]{2,}(?:[/?#:]|\s*$))/i;

/**
 * Returns what represents a cell with a link behind its text: the text if it is an address, otherwise a formula. The
 * address behind a domain can be the page of a tool about it.
 */
export function toLinkedText(text: string, address: string): string {
  return addressText.test(text) && !isShortened(text, address) ? text : formatLinkedCell(text, address);
}

const ellipsis = /(?:…|\.{3})$/;

/** Whether a text is only the start of an address, such as its host. */
function isShortened(text: string, address: string): boolean {
  const whole = toPlainAddress(address);
  const plain = toPlainAddress(text);
  const start = plain.replace(ellipsis, '');
  if (whole === plain || !whole.startsWith(start)) return false;
  return start !== plain || start.includes('/') || /^[/?#:]/.test(whole.slice(start.length));
}

const toPlainAddress = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:www\.)?/, '')
    .replace(/\/$/, '');
