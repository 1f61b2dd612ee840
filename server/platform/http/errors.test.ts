import { expect, test } from 'vitest';
import { fileErrorMessage } from './errors.ts';

test.each([
  ['ENOENT', 'The uploaded file is gone. Please upload it again.'],
  ['ENOSPC', 'The server has no disk space left. Please tell the administrator.'],
  ['53100', 'The server has no disk space left. Please tell the administrator.'],
  ['EACCES', undefined],
])('the message for the file error %s is: %s', (code, sentence) => {
  expect(fileErrorMessage(Object.assign(new Error('failed'), { code }))).toBe(sentence);
});

test('there is no message for an error without a code', () => {
  expect([fileErrorMessage(new Error('failed')), fileErrorMessage('ENOENT')]).toEqual([undefined, undefined]);
});
