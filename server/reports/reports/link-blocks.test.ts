import { expect, test } from 'vitest';
import { createLinkBlocks } from './link-blocks.ts';

test('the blocks for COPY contain each link once, in the order of its final position, and the facts of its name', () => {
  const names = [
    { backlinks: 2, lostBacklinks: 0 },
    { backlinks: 1, lostBacklinks: 1 },
    { backlinks: 1, lostBacklinks: 0 },
  ];
  const [lost, nofollow] = [
    { isLost: true, isNofollow: false },
    { isLost: false, isNofollow: true },
  ];
  const rows: [position: number, flags: { isLost: boolean; isNofollow: boolean }, firstSeen?: string][] = [
    [1, { isLost: false, isNofollow: false }, '2025-03-01'],
    [0, nofollow, '2024-12-31'],
    [1, { ...lost, isNofollow: true }, '2023-05-06'],
    [0, nofollow, '2024-12-30'],
    [2, { isLost: false, isNofollow: false }],
  ];
  const blocks = createLinkBlocks(7, names);
  let lines = '';
  for (const [row, [position, flags, firstSeen]] of rows.entries()) {
    const link = { name: 9, page: `https://h.test/${row}`, anchor: `back\\slash\ttab ${row}`, targetPage: undefined };
    lines += blocks.add(position, { ...link, ...flags, firstSeen, firstSeenText: undefined });
  }
  lines += blocks.finish();
  const readable = lines.replaceAll('\u001f', '|').replaceAll('\u001e', '\t');
  expect(readable.split('\n').map((line) => line.split('\t'))).toEqual([
    [
      '7',
      '0',
      '0|https://h.test/1|t|back\\\\slash\\ttab 1||2024-12-31',
      '0|https://h.test/3|t|back\\\\slash\\ttab 3||2024-12-30',
      '1|https://h.test/0||back\\\\slash\\ttab 0||2025-03-01',
      '2|https://h.test/4||back\\\\slash\\ttab 4',
      '1|https://h.test/2|t|back\\\\slash\\ttab 2||2023-05-06',
    ],
    [''],
  ]);
  expect(blocks.facts).toEqual([
    { firstSeen: '2024-12-30', nofollowBacklinks: 2 },
    { firstSeen: '2023-05-06', nofollowBacklinks: 0 },
    { firstSeen: undefined, nofollowBacklinks: 0 },
  ]);
});
