import { expect, test } from 'vitest';
import { fileErrorMessage } from './errors.ts';

test.each([
  ['ENOENT', 'The uploaded file is gone. Please upload it again.'],
  ['ENOSPC', 'There is no disk space left for this. Please tell the administrator.'],
  ['53100', 'There is no disk space left for this. Please tell the administrator.'],
  ['EACCES', undefined],
])('%s is told as: %s', (code, sentence) => {
  expect(fileErrorMessage(Object.assign(new Error('a fault'), { code }))).toBe(sentence);
});

test('what carries no code is another fault', () => {
  expect([fileErrorMessage(new Error('a fault')), fileErrorMessage('ENOENT')]).toEqual([undefined, undefined]);
});
