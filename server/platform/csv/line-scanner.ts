import { scanLines } from './scan-lines.wasm.ts';

/** The part of the standard that is used here. Only the types of browsers contain it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Global {
  readonly value: number;
}

/** The exports of `scan-lines.as`. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  inputAt: Global;
  recordsAt: Global;
  recordSize: Global;
  next: Global;
  configure(delimiter: number, lastColumn: number, slots: number, limit: number): void;
  scan(from: number, end: number): number;
}

/** The cells of a record, as in a `CsvRecord`. */
export interface LineCells {
  starts: Int32Array;
  ends: Int32Array;
  doubled: Uint8Array;
}

/** Finds plain records in bytes with WebAssembly. What it finds stays until the next call of `find`. */
export interface LineScanner {
  configure(layout: LineLayout): void;
  /** Copies the bytes to scan. */
  load(bytes: Uint8Array): void;
  /** Finds records from the start of one up to the first that is not plain. @returns their number */
  find(from: number, end: number): number;
  /** Where the first record starts that `find` did not find. */
  next(): number;
  /** `start`, `count` and `blank` of a record that was found, see `CsvRecord`. */
  head(record: number, word: 0 | 1 | 2): number;
  /** The cells of the records that were found. */
  cells: readonly LineCells[];
}

export interface LineLayout {
  delimiter: number;
  /** The slot of each column, -1 for none. */
  slotByColumn: Int32Array;
  slots: number;
  limit: number;
}

const maxColumns = 4096;
const maxSlots = 64;
/** How many records one call of `find` finds at most. */
export const maxLines = 512;
const pageBytes = 65_536;
/** The module reads up to this many bytes after the end. */
const slackBytes = 64;

/** Whether the module has room for the columns of a table. */
export const hasRoomFor = ({ slotByColumn, slots }: Pick<LineLayout, 'slotByColumn' | 'slots'>): boolean =>
  slotByColumn.length <= maxColumns && slots <= maxSlots;

let compiled: object | undefined;
const unused: LineScanner[] = [];

/** Calls `work` with a scanner that nobody else uses meanwhile. */
export function withLineScanner<Result>(work: (scanner: LineScanner) => Result): Result {
  const scanner = unused.pop() ?? createLineScanner();
  try {
    return work(scanner);
  } finally {
    unused.push(scanner);
  }
}

function createLineScanner(): LineScanner {
  compiled ??= new WebAssembly.Module(Buffer.from(scanLines, 'base64'));
  const exports = new WebAssembly.Instance(compiled).exports as Exports;
  const { memory } = exports;
  const inputAt = exports.inputAt.value;
  const recordsAt = exports.recordsAt.value;
  const recordSize = exports.recordSize.value;
  const cells: LineCells[] = [];
  let input = new Uint8Array();
  let words = new Int32Array();

  /** Creates the views of the memory again, after it has grown. */
  function createViews(): void {
    const { buffer } = memory;
    input = new Uint8Array(buffer, inputAt);
    words = new Int32Array(buffer);
    for (let record = 0; record < maxLines; record += 1) {
      const at = recordsAt + record * recordSize + 16;
      cells[record] = {
        starts: new Int32Array(buffer, at, maxSlots),
        ends: new Int32Array(buffer, at + maxSlots * 4, maxSlots),
        doubled: new Uint8Array(buffer, at + maxSlots * 8, maxSlots),
      };
    }
  }
  createViews();

  return {
    configure({ delimiter, slotByColumn, slots, limit }) {
      new Int16Array(memory.buffer, 0, slotByColumn.length).set(slotByColumn);
      exports.configure(delimiter, slotByColumn.length - 1, slots, limit);
    },
    load(bytes) {
      const missing = bytes.length + slackBytes - input.length;
      if (missing > 0) {
        memory.grow(Math.ceil(missing / pageBytes));
        createViews();
      }
      input.set(bytes);
    },
    find: exports.scan,
    next: () => exports.next.value,
    head: (record, word) => words[(recordsAt + record * recordSize) / 4 + word] as number,
    cells,
  };
}
