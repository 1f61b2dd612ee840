import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { maxPreviewedArchiveBytes, previewBytes, type UploadPreview } from '#shared/reports/backlinks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls, buildForm } from './analyses.fixtures.ts';

const testApp = await startTestApp();
const { call, context, signUp } = testApp;
const { createOwner } = buildAnalysisCalls(testApp);

type File = readonly [name: string, content: string | Buffer];
const post = async (as: string | undefined, ...files: File[]) =>
  call('POST', '/api/backlinks/preview', { ...(as && { as }), ...(await buildForm({}, files)) });
const { cookie } = await signUp();
const preview = async (...files: File[]): Promise<UploadPreview[]> => (await post(cookie, ...files)).json();

const links = (site: string, header: string) =>
  `${header}\nhttps://one.test/,https://${site}/,x\nhttps://two.test/,https://${site}/a,x\n`;
const ahrefs = 'Referring page URL,Target URL,Anchor';
const semrush = 'Source url,Target url,Page ascore';

test('exports of several tools are recognized with the website that their links point to', async () => {
  const utf16 = Buffer.from(`\ufeff${links('www.shop.example', ahrefs).replaceAll(',', '\t')}`, 'utf16le');
  const archive = Buffer.from(
    zipSync({ 'Latest links.csv': strToU8('Linking page,Last crawled\nhttps://one.test/,2026-01-02\n') }),
  );
  expect(await preview(['a.csv', utf16], ['b.csv', links('blog.shop.example', semrush)], ['c.zip', archive])).toEqual([
    {
      file: 'a.csv',
      tool: 'Ahrefs',
      report: 'Backlinks',
      site: 'shop.example',
      backlinks: 2,
      complete: true,
      error: null,
    },
    {
      file: 'b.csv',
      tool: 'Semrush',
      report: 'Backlinks',
      site: 'blog.shop.example',
      backlinks: 2,
      complete: true,
      error: null,
    },
    {
      file: 'c.zip',
      tool: 'Google Search Console',
      report: 'Latest links',
      site: null,
      backlinks: 1,
      complete: true,
      error: null,
    },
  ]);
});

test('the website is the narrowest name that covers all targets, and unknown for several websites', async () => {
  const toSite = async (...targets: string[]) => {
    const rows = targets.map((target, i) => `https://linking-${i}.test/,${target}`);
    return (await preview(['a.csv', `Source url,Target url\n${rows.join('\n')}\n`]))[0]?.site;
  };
  expect(await toSite('https://en.blog.shop.example/', 'https://blog.shop.example/')).toBe('blog.shop.example');
  expect(await toSite('https://en.shop.example/', 'https://de.shop.example/a')).toBe('shop.example');
  expect(await toSite('https://shop.example/', 'https://other.example/')).toBeNull();
  expect(await toSite('https://a.github.io/', 'https://b.github.io/')).toBeNull();
  expect(await toSite('', '')).toBeNull();
});

test('a file that cannot be analyzed has an error, and the other files are read', async () => {
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const previews = await preview(
    ['own.csv', 'Target page,Incoming links\nhttps://shop.example/,3\n'],
    ['links.csv', links('shop.example', ahrefs)],
    ['picture.csv', picture],
    ['empty.csv', ''],
  );
  expect(previews.map(({ error }) => error !== null)).toEqual([true, false, true, true]);
  expect(previews[2]).toMatchObject({ tool: '', site: null, backlinks: 0, error: expect.stringContaining('image') });
});

test('the start of a long file is enough, even if it ends within a row', async () => {
  const row = (i: number) => `https://linking-${i}.test/${'x'.repeat(80)},https://shop.example/,x\n`;
  const whole = Buffer.from(`${ahrefs}\n${Array.from({ length: 4000 }, (_, i) => row(i)).join('')}`);
  const [cut, long] = await preview(['cut.csv', whole.subarray(0, previewBytes)], ['long.csv', whole]);
  expect(cut).toMatchObject({ site: 'shop.example', complete: false, error: null });
  expect(long).toEqual({ ...cut, file: 'long.csv' });
  expect(cut?.backlinks).toBe(whole.subarray(0, previewBytes).toString().split('\n').length - 2);
});

test('a preview stores nothing', async () => {
  const { cookie: as, site } = await createOwner();
  const response = await post(as, ['a.csv', links(site.domain, ahrefs)]);
  expect(response.json()).toMatchObject([{ site: site.domain }]);
  expect((await call('GET', '/api/backlinks/analyses', { as })).json()).toEqual([]);
  expect(await readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
});

test('visitors, large files and missing files are refused, and requests at the same time take turns', async () => {
  expect((await post(undefined, ['a.csv', links('shop.example', ahrefs)])).statusCode).toBe(401);
  expect((await post(cookie, ['a.csv', Buffer.alloc(maxPreviewedArchiveBytes + 1, 'x')])).statusCode).toBe(413);
  expect((await post(cookie)).statusCode).toBe(400);
  const both = await Promise.all([1, 2].map(() => post(cookie, ['a.csv', links('shop.example', ahrefs)])));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200]);
  expect((await post(cookie, ['a.csv', links('shop.example', ahrefs)])).statusCode).toBe(200);
  expect(await readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
});
