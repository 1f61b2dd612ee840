import { type FileHandle, open } from 'node:fs/promises';
import type { Budget } from './budget.ts';

/** The byte between the cells of a sheet: a comma. */
export const sheetDelimiter = 44;
const flushLength = 65_536;
/** Empty rows between two others are written up to this number, so that line numbers are those of the sheet. */
const maxEmptyRows = 1000;

/** Writes the rows of a sheet as CSV. All rows get as many cells as the first one, or more. */
export interface TableWriter {
  /** `row` is the zero-based number of the row in the sheet. */
  add(row: number, cells: readonly (string | undefined)[]): void;
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

  return {
    add(row, cells) {
      if (!hasText && cells.every((cell) => !cell)) return;
      if (!hasText) width = cells.length;
      const emptyRows = Math.min(maxEmptyRows, Math.max(0, row - nextRow));
      nextRow = row + 1;
      hasText = true;
      const line = '\n'.repeat(emptyRows) + formatRow(cells, width);
      budget.addBytes(line.length);
      text += line;
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

function formatRow(cells: readonly (string | undefined)[], width: number): string {
  let line = '';
  for (let i = 0; i < Math.max(width, cells.length); i += 1) {
    if (i > 0) line += ',';
    const cell = cells[i];
    if (cell) line += /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return `${line}\n`;
}
