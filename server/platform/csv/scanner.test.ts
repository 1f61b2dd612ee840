import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { allCells, cellText } from './csv-record.ts';
import { sourceHash } from './scan-lines.wasm.ts';
import { createScanner, NO_DELIMITER } from './scanner.ts';
import { csvRow } from './write-csv.ts';

type Row = [line: number, ...cells: string[]];

/** Scans bytes in chunks of `chunk` bytes, as a file reader does. */
function scan(text: string | Buffer, { delimiter = ',', chunk = 1 << 20, limit = 65_536 } = {}) {
  const rows: Row[] = [];
  const malformed: number[] = [];
  const scanner = createScanner({
    delimiter: delimiter === '' ? NO_DELIMITER : delimiter.charCodeAt(0),
    columns: 'all',
    limit,
    onRecord: (record) => rows.push([record.line, ...allCells(record)]),
    onMalformed: (line) => malformed.push(line),
  });
  let bytes = Buffer.from(text);
  let kept = Buffer.alloc(0);
  while (bytes.length > 0) {
    kept = Buffer.concat([kept, bytes.subarray(0, chunk)]);
    bytes = bytes.subarray(chunk);
    kept = kept.subarray(scanner.scan(kept, kept.length, false));
    expect(kept.length).toBeLessThanOrEqual(limit + 2);
  }
  scanner.scan(kept, kept.length, true);
  return { rows, malformed };
}

test('cells are cut at delimiters and rows at LF, CRLF or CR', () => {
  expect(scan('a,b\nc,d\r\ne,f\rg,h').rows).toEqual([
    [1, 'a', 'b'],
    [2, 'c', 'd'],
    [3, 'e', 'f'],
    [4, 'g', 'h'],
  ]);
});

test('a quoted cell contains delimiters, line ends and doubled quotation marks', () => {
  expect(scan('"a,b","c\nd\r\ne","say ""hi"""\nnext,row\n').rows).toEqual([
    [1, 'a,b', 'c\nd\r\ne', 'say "hi"'],
    [4, 'next', 'row'],
  ]);
});

test('a line number counts CR, LF and CRLF inside quotes as one line each', () => {
  expect(scan('"a\rb\nc\r\nd",1\nx\n').rows[1]).toEqual([5, 'x']);
});

test('empty cells, quoted empty cells and trailing delimiters are cells', () => {
  expect(scan(',"",,\n').rows).toEqual([[1, '', '', '', '']]);
});

test('a blank line is a record of one empty cell', () => {
  expect(scan('a\n\n\r\nb').rows).toEqual([
    [1, 'a'],
    [2, ''],
    [3, ''],
    [4, 'b'],
  ]);
});

test('spaces around a quoted cell are ignored', () => {
  expect(scan('a, "x, y" ,b\n').rows).toEqual([[1, 'a', 'x, y', 'b']]);
});

test('without a delimiter each line is one cell', () => {
  expect(scan('a,b;c\n"d"\n', { delimiter: '' }).rows).toEqual([
    [1, 'a,b;c'],
    [2, 'd'],
  ]);
});

test('a stray quotation mark on a line is taken literally', () => {
  expect(scan('a"b,c\n"a"x,y\n"say "hi" now",z\n5" pipe,"q"\n')).toEqual({
    rows: [
      [1, 'a"b', 'c'],
      [2, '"a"x', 'y'],
      [3, 'say "hi" now', 'z'],
      [4, '5" pipe', 'q'],
    ],
    malformed: [],
  });
});

test('a stray quotation mark does not affect the next quoted cell', () => {
  expect(scan('"a"x,"b, c", "d"\n').rows).toEqual([[1, '"a"x', 'b, c', 'd']]);
});

test('an unclosed cell makes only its own row malformed', () => {
  const result = scan('1,a\n2,"open\n3,c\n4,d\n');
  expect(result.malformed).toEqual([2]);
  expect(result.rows).toEqual([
    [1, '1', 'a'],
    [3, '3', 'c'],
    [4, '4', 'd'],
  ]);
});

test('an unclosed cell before rows with quoted cells makes only its own row malformed', () => {
  const result = scan('"1","a"\n2,"open\n"3","c, d"\n"4","e\nf"\n');
  expect(result.malformed).toEqual([2]);
  expect(result.rows).toEqual([
    [1, '1', 'a'],
    [3, '3', 'c, d'],
    [4, '4', 'e\nf'],
  ]);
});

test('an unclosed cell in the last line is malformed, with and without a last line end', () => {
  expect(scan('a\n"b').malformed).toEqual([2]);
  expect(scan('a\n"b\n').malformed).toEqual([2]);
  expect(scan('a\n"b""\n').malformed).toEqual([2]);
});

test('an unclosed cell is malformed at the record limit', () => {
  const result = scan(`x,"open\n${'y,z\n'.repeat(50)}w,"closed"\n`, { limit: 100 });
  expect(result.malformed).toEqual([1]);
  expect(result.rows).toHaveLength(51);
  expect(result.rows.at(-1)).toEqual([52, 'w', 'closed']);
});

test('a record exactly at the limit is read and one byte more is malformed', () => {
  expect(scan('12345\nok\n', { limit: 5 })).toEqual({
    rows: [
      [1, '12345'],
      [2, 'ok'],
    ],
    malformed: [],
  });
  expect(scan('123456\nok\n', { limit: 5 })).toEqual({ rows: [[2, 'ok']], malformed: [1] });
  expect(scan('"1\n3"\nok\n', { limit: 5 }).malformed).toEqual([]);
  expect(scan('"1\n34"\nok\n', { limit: 5 }).malformed).toEqual([1]);
});

test('a line of megabytes is malformed once and the next line is read', () => {
  for (const filler of ['y', '"', '",', '" ', 'a,']) {
    const result = scan(`first\n${filler.repeat(3 << 19)}\nlast\n`, { chunk: 65_536 });
    expect(result).toEqual({
      rows: [
        [1, 'first'],
        [3, 'last'],
      ],
      malformed: [2],
    });
  }
});

test('hostile quotation marks are scanned in linear time', () => {
  const patterns = [
    '"a\n',
    'a,"b\n',
    '"""a\n',
    '"" x,',
    '"" x, ',
    '"\n',
    ',"',
    '"a,\n',
    '"b\n\r',
    `"${'b\n'.repeat(500)}`,
  ];
  const cost = (pattern: string, lines: number) => {
    const text = Buffer.from(`${pattern.repeat(Math.ceil(16_000 / pattern.length))}\n`.repeat(lines));
    const scanner = createScanner({ delimiter: 44, columns: [1], onRecord: () => {}, onMalformed: () => {} });
    const start = process.cpuUsage();
    scanner.scan(text, text.length, true);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  for (const pattern of patterns) {
    cost(pattern, 4);
    const one = Math.max(cost(pattern, 4), 10);
    expect(cost(pattern, 32), JSON.stringify(pattern.slice(0, 9))).toBeLessThan(one * 8 * 4);
  }
});

const hostile = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '"', '\n', '\r', ' ', ';'), maxLength: 80 });

test('the chunk size does not change the result', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 1, max: 12 }), fc.constantFrom(3, 7, 20, 1000), (text, chunk, limit) => {
      expect(scan(text, { chunk, limit })).toEqual(scan(text, { limit }));
    }),
    { numRuns: 1000 },
  );
});

test('every line of any text is accounted for', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { rows, malformed } = scan(text);
      const starts = [...rows.map(([line]) => line), ...malformed].sort((a, b) => a - b);
      expect(new Set(starts).size).toBe(starts.length);
      const lines = text.split(/\r\n|\n|\r/);
      if (lines.at(-1) === '') lines.pop();
      const inside = rows.reduce(
        (sum, row) =>
          sum +
          (row
            .slice(1)
            .join(',')
            .match(/\r\n|\n|\r/g)?.length ?? 0),
        0,
      );
      expect(starts.length + inside).toBe(lines.length);
    }),
    { numRuns: 1000 },
  );
});

test('only the requested columns are reported, whatever the other columns contain', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { minLength: 1, maxLength: 6 })), (table) => {
      const seen: (string | undefined)[][] = [];
      const text = Buffer.from(table.map(csvRow).join(''));
      const all = scan(text).rows.map(([, ...cells]) => [cells[3], cells[1]]);
      const scanner = createScanner({
        delimiter: 44,
        columns: [3, 1],
        onRecord: ({ buffer, starts, ends, doubled }) =>
          seen.push(
            [0, 1].map((slot) => {
              const cell = buffer.toString('utf8', starts[slot], ends[slot]);
              if (starts[slot] === -1) return undefined;
              return doubled[slot] === 1 ? cell.replaceAll('""', '"') : cell;
            }),
          ),
        onMalformed: () => expect.unreachable(),
      });
      scanner.scan(text, text.length, true);
      expect(seen).toEqual(all);
    }),
  );
});

test('the requested columns change neither rows, line numbers nor malformed rows', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(7, 20, 1000), fc.integer({ min: 0, max: 3 }), (text, limit, column) => {
      const all = scan(text, { limit });
      const rows: [number, string | undefined][] = [];
      const malformed: number[] = [];
      const bytes = Buffer.from(text);
      createScanner({
        delimiter: 44,
        columns: [column],
        limit,
        onRecord: (record) => rows.push([record.line, cellText(record, 0)]),
        onMalformed: (line) => malformed.push(line),
      }).scan(bytes, bytes.length, true);
      expect({ rows, malformed }).toEqual({
        rows: all.rows.map(([line, ...cells]) => [line, cells[column]]),
        malformed: all.malformed,
      });
    }),
    { numRuns: 1000 },
  );
});

interface Reading {
  columns: number[];
  delimiter: string;
  limit: number;
  chunk: number;
}

/** Scans with or without WebAssembly. @returns everything that the scanner reports */
function scanColumns(bytes: Buffer, { columns, delimiter, limit, chunk }: Reading, findsLines: boolean) {
  const reports: unknown[] = [];
  const scanner = createScanner({
    delimiter: delimiter.charCodeAt(0),
    columns,
    limit,
    findsLines,
    onRecord({ line, start, count, blank, starts, ends, doubled }) {
      const cells = columns.map((_, slot) =>
        starts[slot] === -1 ? -1 : [(starts[slot] ?? 0) + at, (ends[slot] ?? 0) + at, doubled[slot]],
      );
      reports.push([line, start + at, count, blank, cells]);
    },
    onMalformed: (line, _, start) => reports.push([line, start + at]),
  });
  let at = 0;
  for (let end = Math.min(chunk, bytes.length); ; end = Math.min(end + chunk, bytes.length)) {
    const part = bytes.subarray(at, end);
    at += scanner.scan(part, part.length, end === bytes.length);
    if (end === bytes.length) return reports;
  }
}

function expectSame(bytes: Buffer, options: Reading): void {
  expect(scanColumns(bytes, options, true)).toEqual(scanColumns(bytes, options, false));
}

const reading = fc.record({
  columns: fc
    .uniqueArray(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 4 })
    .filter((all) => Math.max(...all) >= 0),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  limit: fc.constantFrom(5, 20, 200, 65_536),
  chunk: fc.constantFrom(1, 7, 63, 64, 65, 1000),
});
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"'), maxLength: 70 }),
  fc.string({ unit: fc.constantFrom('a', ',', '\n', '""', '\r'), maxLength: 40 }).map((text) => `"${text}"`),
  fc.string({ unit: fc.constantFrom('a', ',', '""', ';'), maxLength: 90 }).map((text) => ` "${text}"  `),
);

test('WebAssembly finds the same records and cells, whatever the file, the columns and the chunks', () => {
  const file = fc.array(fc.tuple(fc.array(cell, { maxLength: 7 }), fc.constantFrom('\n', '\r\n', '\r', '\n\n')), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(reading, file, fc.boolean(), (options, rows, isCut) => {
      const text = rows.map(([cells, end]) => cells.join(options.delimiter) + end).join('');
      expectSame(Buffer.from(isCut ? text.trimEnd() : text), options);
    }),
    { numRuns: numRuns(2000) },
  );
  fc.assert(
    fc.property(reading, hostile, (options, text) => {
      expectSame(Buffer.from(text), options);
    }),
    { numRuns: numRuns(2000) },
  );
});

test('WebAssembly finds many records at once, in bytes that need more of its memory', () => {
  const rows = Array.from(
    { length: 60_000 },
    (_, i) => `${i},"a, ""b""",${i % 3 === 0 ? '"c\nd"' : 'c'},${'e'.repeat(i % 90)}\n`,
  );
  const bytes = Buffer.from(rows.join(''));
  for (const chunk of [bytes.length, 300_000]) {
    expectSame(bytes, { columns: [3, 1, 0], delimiter: ',', limit: 65_536, chunk });
  }
  expect(bytes.length).toBeGreaterThan(2 ** 21);
});

test('a scanner that is stopped in the middle of many records starts again with the same one', () => {
  const bytes = Buffer.from(Array.from({ length: 2000 }, (_, i) => `${i},x\n`).join(''));
  const lines: number[] = [];
  let isStopped = false;
  const scanner = createScanner({
    delimiter: 44,
    columns: [0],
    onRecord(record) {
      if (record.line === 700 && !isStopped) {
        isStopped = true;
        scanner.stop();
      } else lines.push(Number(cellText(record, 0)));
    },
    onMalformed: () => expect.unreachable(),
  });
  const done = scanner.scan(bytes, bytes.length, true);
  scanner.scan(bytes.subarray(done), bytes.length - done, true);
  expect(lines).toEqual(Array.from({ length: 2000 }, (_, i) => i));
});

test('a scanner can be used while another one reports records', () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => `${i},x\n`).join(''));
  const read = (onRecord: (value: string | undefined) => void) =>
    createScanner({
      delimiter: 44,
      columns: [0],
      onRecord: (record) => onRecord(cellText(record, 0)),
      onMalformed: () => expect.unreachable(),
    }).scan(bytes, bytes.length, true);
  const outer: unknown[] = [];
  let inner = 0;
  read((value) => {
    outer.push(value);
    if (outer.length === 100) read(() => (inner += 1));
  });
  expect([outer, inner]).toEqual([Array.from({ length: 1000 }, (_, i) => String(i)), 1000]);
});

test('the compiled module is that of its source', () => {
  const source = readFileSync(new URL('./scan-lines.as', import.meta.url));
  expect(createHash('sha256').update(source).digest('hex')).toBe(sourceHash);
});
