import { expect, test } from 'vitest';
import { requireFreePort } from './net/ports.ts';
import { requireFolder } from './start.ts';

test.each([
  ['203.0.113.1', 'This machine does not have the address 203.0.113.1.'],
  ['nobody.invalid', 'Linksieve cannot listen on the HOST nobody.invalid'],
])('requireFreePort throws for a HOST that does not belong to this machine: %s', async (host, sentence) => {
  await expect(requireFreePort(host, 3000)).rejects.toThrow(sentence);
});

test('requireFolder throws if the data folder cannot be created', async () => {
  await expect(requireFolder('/dev/null/data')).rejects.toThrow(
    'Linksieve cannot write to its data folder /dev/null/data',
  );
});
