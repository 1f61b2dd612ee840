import { expect, test } from 'vitest';
import { fileNameOf } from './download-button.tsx';

test('reads the file name from the Content-Disposition header', () => {
  expect(fileNameOf('attachment; filename="harmful-backlinks.csv"')).toBe('harmful-backlinks.csv');
  expect(fileNameOf('attachment; filename="x.csv"; filename*=UTF-8\'\'m%C3%BCller.csv')).toBe('müller.csv');
  expect(fileNameOf('attachment; filename=plain.txt')).toBe('plain.txt');
  expect(fileNameOf(null)).toBeUndefined();
});
