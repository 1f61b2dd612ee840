import { UnreadableFile } from '../csv/unreadable-file.ts';

/** What the files of an upload may unpack to. */
export interface Limits {
  /** Unpacked bytes of all tables together. */
  maxBytes: number;
  /** Entries of all archives together. */
  maxEntries: number;
  /** Unpacked bytes for each uploaded byte, checked from `ratioFromBytes` on. */
  maxRatio: number;
  ratioFromBytes: number;
  /** Bytes of the texts that the cells of an Excel workbook share. They are kept in memory. */
  maxSharedBytes: number;
  /** Maximum bytes of text in a row of a sheet. Readers of tables skip a longer line. */
  maxRowBytes: number;
  /** Columns of a sheet. */
  maxColumns: number;
}

const defaultLimits: Limits = {
  maxBytes: 1024 ** 3,
  maxEntries: 1000,
  maxRatio: 200,
  ratioFromBytes: 16 * 1024 ** 2,
  maxSharedBytes: 256 * 1024 ** 2,
  maxRowBytes: 16 * 1024 ** 2,
  maxColumns: 16_384,
};

/** Maximum characters in a cell, as in Excel. The rest of a longer text is not read. */
export const maxCellLength = 32_767;

/**
 * Counts what an upload unpacks to. The functions that count or check throw an UnreadableFile with the code 'too_large'
 * at a limit.
 */
export interface Budget {
  limits: Limits;
  addBytes(count: number): void;
  addEntries(count: number): void;
  /** @throws for a number of bytes of shared texts above the limit */
  checkShared(bytes: number): void;
  /** Call it before the texts are made. @throws for a row with more bytes of text than the limit */
  checkRow(bytes: number): void;
  /** Returns the text of a cell, cut at `maxCellLength`. */
  cutCell(text: string): string;
  /** How many texts were cut. */
  countCut(): number;
}

/**
 * Creates the budget of all files of an upload. Counts real bytes, because the sizes that an archive claims can be
 * wrong.
 * @param uploadedBytes the size of all uploaded files
 * @param given limits that replace the default ones
 */
export function createBudget(uploadedBytes: number, given: Partial<Limits> = {}): Budget {
  const limits = { ...defaultLimits, ...given };
  const { maxBytes, maxEntries, maxRatio, ratioFromBytes, maxSharedBytes, maxRowBytes } = limits;
  let bytes = 0;
  let entries = 0;
  let cut = 0;
  return {
    limits,
    addBytes(count) {
      bytes += count;
      if (bytes > maxBytes) {
        throw tooLarge(`This upload unpacks to more than ${formatBytes(maxBytes)}. Upload a smaller export.`);
      }
      if (bytes > ratioFromBytes && bytes > uploadedBytes * maxRatio) {
        throw tooLarge(
          `This archive unpacks to more than ${maxRatio} times its size, which exports do not. Unpack it and upload the file inside.`,
        );
      }
    },
    addEntries(count) {
      entries += count;
      if (entries <= maxEntries) return;
      throw tooLarge(
        `This upload has more than ${maxEntries.toLocaleString('en-US')} entries in archives. Upload only the exports inside.`,
      );
    },
    checkShared(bytes) {
      if (bytes > maxSharedBytes) throw tooLarge('This workbook has too much text. Save the sheet as CSV.');
    },
    checkRow(bytes) {
      if (bytes > maxRowBytes) throw tooLarge('A row in this sheet contains too much text. Save the sheet as CSV.');
    },
    cutCell(text) {
      if (text.length <= maxCellLength) return text;
      cut += 1;
      return text.slice(0, maxCellLength).toWellFormed();
    },
    countCut: () => cut,
  };
}

const tooLarge = (message: string) => new UnreadableFile('too_large', message);

function formatBytes(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${Math.round(bytes / 1024 ** 3)} GB` : `${Math.ceil(bytes / 1024 ** 2)} MB`;
}
