import { expect, test } from 'vitest';
import type { UploadPreview } from '#shared/reports/backlinks.ts';
import { findNamedWebsite, findWebsite, groupUploads, suggestTarget } from './assign.ts';

const websites = [
  { id: 1, domain: 'shop.example' },
  { id: 2, domain: 'blog.shop.example' },
  { id: 3, domain: 'other.example' },
  { id: 4, domain: 'my-shop.example' },
];
const preview = (part: Partial<UploadPreview> = {}): UploadPreview => ({
  file: 'a.csv',
  tool: 'Ahrefs',
  report: 'Backlinks',
  site: null,
  backlinks: 3,
  complete: true,
  error: null,
  ...part,
});

test('a site is the website of the same host, otherwise of the nearest parent', () => {
  const find = (host: string) => findWebsite(host, websites)?.id;
  expect(['shop.example', 'blog.shop.example', 'other.example'].map(find)).toEqual([1, 2, 3]);
  expect(['en.blog.shop.example', 'en.shop.example'].map(find)).toEqual([2, 1]);
  // A parent or a similar name is another website.
  expect(findWebsite('shop.example', websites.slice(1))).toBeUndefined();
  expect(['workshop.example', 'example', 'shop.example.org'].map(find)).toEqual([undefined, undefined, undefined]);
});

test('a website is found in the name of a file only as a whole', () => {
  const find = (name: string) => findNamedWebsite(name, websites)?.id;
  expect(find('shop.example-Latest links-2026-01-02.csv')).toBe(1);
  expect(find('https___www.Shop.example_-latest.zip')).toBe(1);
  expect(find('export blog.shop.example.csv')).toBe(2);
  expect(find('my-shop.example.csv')).toBe(4);
  for (const name of [
    'workshop.example.csv',
    'en.other.example.csv',
    'shop.examples.csv',
    'shop.example.org-links.csv',
    'links.csv',
  ]) {
    expect([name, find(name)]).toEqual([name, undefined]);
  }
});

test('the suggestion follows the site, then the name of the file; a wrong file is left out', () => {
  const suggest = (name: string, part?: Partial<UploadPreview>) => suggestTarget(name, preview(part), websites);
  expect(suggest('a.csv', { site: 'shop.example' })).toEqual({ to: 'existing', websiteId: 1 });
  expect(suggest('shop.example.csv', { site: 'new.example' })).toEqual({ to: 'new', domain: 'new.example' });
  expect(suggest('other.example.csv')).toEqual({ to: 'existing', websiteId: 3 });
  expect(suggest('a.csv')).toBeUndefined();
  expect(suggest('other.example.csv', { error: 'This is an image.' })).toEqual({ to: 'skip' });
  expect(suggestTarget('other.example.zip', { unknown: 'Too large' }, websites)).toMatchObject({ websiteId: 3 });
  expect(suggestTarget('other.example.zip', 'reading', websites)).toBeUndefined();
});

test('the files of a website become one upload, however they were assigned', () => {
  const file = (name: string) => new File([], name);
  const uploads = groupUploads(
    [
      { file: file('1'), target: { to: 'new', domain: 'https://www.New.example/' } },
      { file: file('2'), target: { to: 'existing', websiteId: 1 } },
      { file: file('3'), target: { to: 'new', domain: 'new.example' } },
      { file: file('4'), target: { to: 'new', domain: 'SHOP.example' } },
      { file: file('5'), target: { to: 'skip' } },
      { file: file('6'), target: { to: 'new', domain: ' ' } },
      { file: file('7'), target: { to: 'existing', websiteId: 99 } },
      { file: file('8'), target: undefined },
    ],
    websites,
  );
  expect(uploads.map(({ files, ...upload }) => [upload, files.map(({ name }) => name).join()])).toEqual([
    [{ domain: 'new.example', websiteId: null }, '1,3'],
    [{ domain: 'shop.example', websiteId: 1 }, '2,4'],
  ]);
});
