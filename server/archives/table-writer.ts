import { type FileHandle, open } from 'node:fs/promises';
import type { Budget } from './budget.ts';

/** The byte between the cells of a sheet: a comma. */
export const sheetDelimiter = 44;
const flushLength = 65_536;
/** Empty rows between two others are written up to this number, so that line numbers are those of the sheet. */
const maxEmptyRows = 1000;

type Cells = readonly (string | undefined)[];

/** Writes the rows of a sheet as CSV. All rows get as many cells as the first one, or more. */
export interface TableWriter {
  /** `row` is the zero-based number of the row in the sheet. */
  add(row: number, cells: Cells): void;
  /** Adds the same row `repeat` times. Throws before it writes them if they are more than the budget allows. */
  addRepeated(row: number, cells: Cells, repeat: number): Promise<void>;
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
  let hasText = false;

  async function write(): Promise<void> {
    const bytes = Buffer.from(text);
    text = '';
    await file.writeFile(bytes);
  }

  /** Adds a row once, after the empty rows before it, and charges the budget for all repetitions. @returns its line */
  function addOnce(row: number, cells: Cells, repeat: number): string {
    if (!hasText && cells.every((cell) => !cell)) return '';
    if (!hasText) width = cells.length;
    const emptyRows = Math.min(maxEmptyRows, Math.max(0, row - nextRow));
    nextRow = row + repeat;
    hasText = true;
    // Even one row can be too much, because its cells can be the same long text. It is charged before it is formatted.
    const minLength = measureRow(cells, width);
    budget.addBytes(minLength);
    const line = formatRow(cells, width);
    budget.addBytes(emptyRows + line.length * repeat - minLength);
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
      return hasText;
    },
  };
}

/** Returns the length of a row without quotation marks. */
const measureRow = (cells: Cells, width: number): number =>
  cells.reduce((length, cell) => length + (cell?.length ?? 0), Math.max(width, cells.length));

function formatRow(cells: Cells, width: number): string {
  let line = '';
  for (let i = 0; i < Math.max(width, cells.length); i += 1) {
    if (i > 0) line += ',';
    const cell = cells[i];
    if (cell) line += /[",\r\n]|^\s|\s$/.test(cell) ? quote(cell) : cell;
  }
  return `${line}\n`;
}

/** Line breaks in a cell become spaces, so that each row is one line. */
const quote = (cell: string): string => `"${cell.replace(/\r\n?|\n/g, ' ').replaceAll('"', '""')}"`;
