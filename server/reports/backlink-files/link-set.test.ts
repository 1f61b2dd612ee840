import { expect, test } from 'vitest';
import { createScanner } from '../../platform/csv/scanner.ts';
import { createLinkSet } from './link-set.ts';

test('more links than the limit are refused, because their set would need too much memory', () => {
  const links = createLinkSet({ maxLinks: 2 });
  const content = Buffer.from('https://a.test/\nhttps://b.test/\nhttps://c.test/\n');
  const scanner = createScanner({
    delimiter: 44,
    columns: [0],
    onRecord: (record) => links.add(0, record, undefined),
    onMalformed: () => expect.unreachable(),
  });
  const scan = (bytes: number) => scanner.scan(content, bytes, true);
  expect(() => scan(32)).not.toThrow();
  expect(() => scan(content.length)).toThrow('These files have more than 2 links in total.');
});
