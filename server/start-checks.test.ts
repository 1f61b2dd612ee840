import { expect, test } from 'vitest';
import { requireFreePort } from './net/ports.ts';
import { requireFolder } from './start.ts';

test.each([
  ['203.0.113.1', 'This machine has no address 203.0.113.1.'],
  ['nobody.invalid', 'Linksieve cannot listen on the HOST nobody.invalid'],
])('a HOST that is not of this machine is named: %s', async (host, sentence) => {
  await expect(requireFreePort(host, 3000)).rejects.toThrow(sentence);
});

test('a data folder that cannot be made is named', async () => {
  await expect(requireFolder('/dev/null/data')).rejects.toThrow(
    'Linksieve cannot write to its data folder /dev/null/data',
  );
});
