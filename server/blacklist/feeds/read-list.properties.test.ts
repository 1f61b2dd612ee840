import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { feedFormats } from '#shared/blacklist/choices.ts';
import { numRuns } from '../../num-runs.fixtures.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { readAdblockLine } from '../list-formats/adblock-rules.ts';
import { isName, readSimpleLine } from '../list-formats/entry.ts';
import { createUblacklistReader } from '../list-formats/ublacklist-rules.ts';
import { startListReader } from './read-list.fixtures.ts';

let reader: Awaited<ReturnType<typeof startListReader>>;
beforeAll(async () => {
  reader = await startListReader();
});
afterAll(() => reader.stop());

const host = fc.constantFrom(
  'x.com',
  'a.b.co.uk',
  'name.blogspot.com',
  'medium.com',
  '1.2.3.4',
  'bücher.de',
  '*.x.com',
);
const before = fc.constantFrom(
  '',
  'http://',
  'https://user@',
  '//',
  '||',
  '|https://',
  '*://',
  '*://*.',
  'domain:',
  '0.0.0.0 ',
);
/** Something after the host that is more than its root. */
const path = fc
  .tuple(fc.constantFrom('/', '^', '?', '/?', '//', '/*/', ':8080/'), fc.stringMatching(/^[a-z0-9._~%@=&-]{1,8}$/))
  .map((parts) => parts.join(''));
const after = fc.constantFrom('', '*', '/*', '^', '|', '^$all', '$third-party', ' # comment', '/');

test('no line with a path ever becomes a name', () => {
  fc.assert(
    fc.property(before, host, path, after, (...parts) => {
      const line = parts.join('');
      for (const read of [readSimpleLine, readAdblockLine, createUblacklistReader()]) {
        expect(read(line).filter(isName), line).toEqual([]);
      }
    }),
    { numRuns: numRuns(3000) },
  );
});

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  host,
  before,
  path,
  after,
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '\t',
    ',',
    ';',
    '"',
    '---\n',
    '[',
    ']',
    '{',
    '}',
    ':',
    '@@',
    '##',
    'domain',
    '\ufeff',
    '\0',
  ),
);
const content = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''))),
  fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(`\ufeff${pieces.join('')}`, 'utf16le')),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

test('any content is read or fails with a reason, and names are names', async () => {
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom('auto' as const, ...feedFormats), async (bytes, format) => {
      const result = await reader.read(bytes, format).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(UnreadableFile);
      else {
        const { names } = result as Awaited<ReturnType<typeof reader.read>>;
        expect(names).not.toEqual([]);
        expect(names.filter((name) => !/^[a-z0-9_.-]+\.[a-z0-9-]+$/.test(name))).toEqual([]);
      }
    }),
    { numRuns: numRuns(1500) },
  );
});
