import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { maxDisavowFileBytes, maxDisavowFiles, maxDisavowUploadsPerHour } from '#shared/reports/disavow-files.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { purgeDeletedRows, undoMs } from '../reports/jobs.ts';
import { maxLargeReadsPerHour } from './read-files.ts';
import { buildDisavowCalls } from './upload.fixtures.ts';

const app = await startTestApp({}, { work: analysisJobs });
const { call, context } = app;
const { createDomains, createOwner, createWebsite, analyze, send, upload, decide } = buildDisavowCalls(app);
await createDomains({ name: 'listed.test', risk: 2 }, { name: 'other.test', risk: 4 }, { name: 'third.test', risk: 4 });

const get = (as: string, websiteId: number, path = '') =>
  call('GET', `/api/profiles/${websiteId}/disavow-files${path}`, { as });
const buildLines = (count: number) => Array.from({ length: count }, (_, i) => `domain:d${i}.de\n`).join('');
const today = new Date().toISOString().slice(0, 10);

test('an uploaded file is compared with the decisions, the blacklist and the protected sites', async () => {
  const { cookie, site } = await createOwner();
  await decide(site.id, { 'kept.test': 'keep', 'other.test': 'disavow', 'third.test': 'remove', 'a.test': null });
  const lines = [
    '# My list',
    '',
    'domain:listed.test',
    'http://sub.listed.test/page',
    'http://listed.test/page',
    'domain:kept.test',
    'domain:wikipedia.org',
    'http://www.harvard.edu/page',
    'domain:forgotten.test',
    'third.test',
    'domain:co.uk',
  ];
  const review = await upload(cookie, site.id, lines.join('\r\n'));
  expect(review).toEqual({
    id: expect.any(Number),
    fileName: 'disavow.txt',
    uploadedAt: expect.stringContaining(today),
    bytes: lines.join('\r\n').length,
    lines: 11,
    comments: 2,
    invalidCount: 2,
    redundant: 2,
    takenBack: 1,
    allowed: 2,
    noLongerListed: 1,
    kept: 1,
    added: 1,
    invalid: [
      { line: 10, text: 'third.test', reason: 'A domain must start with “domain:”.', fix: 'domain:third.test' },
      { line: 11, text: 'domain:co.uk', reason: expect.stringMatching(/public suffix/), fix: null },
    ],
    reavow: ['kept.test'],
    warnings: [],
    severeWarnings: 0,
  });
  const path = `/${review.id}`;
  expect((await get(cookie, site.id, path)).json()).toEqual(review);
  const { invalid, reavow, warnings, severeWarnings, ...file } = review;
  expect((await get(cookie, site.id)).json()).toEqual([file]);

  const merged = await get(cookie, site.id, `${path}/merged.txt`);
  expect(merged.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(merged.headers['content-disposition']).toBe(
    `attachment; filename="disavow-${site.domain}-merged-${today}.txt"`,
  );
  expect(merged.body).toBe(
    [
      '# My list',
      '',
      'domain:listed.test',
      'domain:wikipedia.org',
      'http://www.harvard.edu/page',
      'domain:forgotten.test',
      `# Added by Linksieve on ${today}`,
      'domain:other.test',
      '',
    ].join('\n'),
  );
  const again = await upload(cookie, site.id, merged.body);
  expect(again).toMatchObject({ added: 0, redundant: 0, invalid: [], reavow: [], kept: 2 });
  expect((await get(cookie, site.id, `/${again.id}/merged.txt`)).body).toBe(merged.body);

  const reavowed = (await get(cookie, site.id, `${path}/reavow.txt`)).body.split('\n');
  expect(reavowed.filter((line) => !line.startsWith('#'))).toEqual(['domain:kept.test', '']);
  expect((await get(cookie, site.id, `${path}/original.txt`)).body).toBe(lines.join('\r\n'));
});

test('a file is compared with the decisions and the blacklist of now, but the history has its first counts', async () => {
  const { cookie, site } = await createOwner();
  await createDomains({ name: 'leaving.test' });
  const { id } = await upload(cookie, site.id, 'domain:leaving.test\ndomain:listed.test\nhttp://sub.listed.test/a\n');
  await decide(site.id, { 'listed.test': 'keep' });
  await context.db.deleteFrom('domains').where('name', '=', 'leaving.test').execute();
  expect((await get(cookie, site.id, `/${id}`)).json()).toMatchObject({ noLongerListed: 1, takenBack: 2, kept: 0 });
  expect((await get(cookie, site.id)).json()).toMatchObject([{ id, kept: 2, redundant: 1, takenBack: 0 }]);
  const reavow = (await get(cookie, site.id, `/${id}/reavow.txt`)).body;
  expect(reavow.match(/^[^#\n].*$/gm)).toEqual(['domain:listed.test', 'http://sub.listed.test/a']);
});

test('lines are filtered by status and text, page by page', async () => {
  const { cookie, site } = await createOwner();
  const lines = ['DOMAIN: Listed.test', '# note', ...Array.from({ length: 120 }, (_, i) => `domain:d${i}.example`)];
  const { id } = await upload(cookie, site.id, lines.join('\n'));
  const list = async (query: string) => (await get(cookie, site.id, `/${id}/lines?${query}`)).json();
  expect(await list('search=LISTED.test')).toEqual({
    lines: [
      {
        line: 1,
        text: 'DOMAIN: Listed.test',
        status: 'kept',
        domain: 'listed.test',
        decision: null,
        keptDomain: null,
        reason: null,
        fix: null,
      },
    ],
    pagination: { page: 0, pageSize: 50, total: 1, totalPages: 1 },
  });
  const page = await list('status=noLongerListed&page=1&pageSize=100');
  expect(page.pagination).toEqual({ page: 1, pageSize: 100, total: 120, totalPages: 2 });
  expect(page.lines).toHaveLength(20);
  expect(page.lines[0]).toMatchObject({ line: 103, text: 'domain:d100.example' });
  expect((await list('status=comment')).lines).toMatchObject([{ line: 2, text: '# note', domain: null }]);
  expect((await list('page=9')).lines).toEqual([]);
  expect((await get(cookie, site.id, `/${id}/lines?status=made-up`)).statusCode).toBe(400);

  await decide(site.id, { 'listed.test': 'keep', 'new.test': 'disavow', 'fresh.test': 'disavow' });
  const changes = await list('status=changed');
  expect(changes.pagination.total).toBe(3);
  expect(changes.lines).toMatchObject([
    { line: 1, text: 'DOMAIN: Listed.test', status: 'takenBack' },
    { line: 123, text: 'domain:fresh.test', status: 'added', domain: 'fresh.test', decision: 'disavow' },
    { line: 124, text: 'domain:new.test', status: 'added' },
  ]);
  expect((await list('status=added')).pagination.total).toBe(2);
  expect((await list('')).pagination.total).toBe(122);
});

test('a line says which kept domain takes it back, and what the user decided about its own domain', async () => {
  const { cookie, site } = await createOwner();
  await decide(site.id, {
    'blog.parent.test': 'keep',
    'parent.test': 'disavow',
    'removed.test': 'remove',
    'kept.test': 'keep',
  });
  const file = ['domain:parent.test', 'http://page.kept.test/a', 'domain:kept.test', 'domain:removed.test'];
  const { id } = await upload(cookie, site.id, file.join('\n'));
  const { lines } = (await get(cookie, site.id, `/${id}/lines`)).json();
  expect(lines).toMatchObject([
    { status: 'takenBack', domain: 'parent.test', decision: 'disavow', keptDomain: 'blog.parent.test' },
    { status: 'takenBack', domain: 'page.kept.test', decision: null, keptDomain: 'kept.test' },
    { status: 'takenBack', domain: 'kept.test', decision: 'keep', keptDomain: 'kept.test' },
    { status: 'noLongerListed', domain: 'removed.test', decision: 'remove', keptDomain: null },
  ]);
});

test('a line with an IP address has no domain, because nobody can decide about it', async () => {
  const { cookie, site } = await createOwner();
  const { id } = await upload(cookie, site.id, 'http://192.0.2.1/page\nhttp://[2001:db8::1]/page\nhttp://a.test/page');
  const { lines } = (await get(cookie, site.id, `/${id}/lines`)).json();
  expect(lines.map(({ domain }: { domain: string | null }) => domain)).toEqual([null, null, 'a.test']);
  for (const { status } of lines) expect(status).toBe('noLongerListed');
});

test('a large file is compared again after a decision and after a minute, and its pages come from one comparison', async () => {
  const { cookie, site, id: userId } = await createOwner();
  const { id } = await upload(cookie, site.id, `${'domain:late.test\n'}${buildLines(6000)}`);
  const count = async () => {
    const { kept, takenBack } = (await get(cookie, site.id, `/${id}`)).json();
    return { kept, takenBack };
  };
  const countReads = async () =>
    (await context.db.selectFrom('login_failures').select('key').where('key', '=', `disavow-read:${userId}`).execute())
      .length;
  expect(await count()).toEqual({ kept: 0, takenBack: 0 });
  await createDomains({ name: 'late.test' });
  await Promise.all([0, 1, 2].map((page) => get(cookie, site.id, `/${id}/lines?page=${page}`)));
  expect(await countReads()).toBe(2);
  await decide(site.id, { 'd7.de': 'keep' });
  expect(await count()).toEqual({ kept: 1, takenBack: 1 });
  expect(await countReads()).toBe(3);
});

test('uploads and comparisons of large files are limited per hour', async () => {
  const { cookie, site, id: userId } = await createOwner();
  const { id } = await upload(cookie, site.id, buildLines(5000));
  const fill = (key: string, count: number) =>
    context.db
      .insertInto('login_failures')
      .values(Array.from({ length: count }, () => ({ key, failed_at: context.now() })))
      .execute();
  await fill(`disavow-read:${userId}`, maxLargeReadsPerHour);
  const limited = await get(cookie, site.id, `/${id}`);
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, expect.stringMatching(/^3\d\d\d$/)]);
  const { id: small } = await upload(cookie, site.id, 'domain:a.test');
  expect((await get(cookie, site.id, `/${small}`)).statusCode).toBe(200);
  await fill(`disavow-upload:${userId}`, maxDisavowUploadsPerHour - 2);
  expect((await send(cookie, site.id, 'domain:a.test')).statusCode).toBe(429);
});

test('the rule of an admin and a protected list make a line allowed, without the text of the rule', async () => {
  const { cookie, site } = await createOwner();
  await context.db
    .insertInto('site_rules')
    .values({ domain: 'partner.test', decision: 'allow', reason: 'A secret' })
    .execute();
  const { id, allowed } = await upload(cookie, site.id, 'domain:blog.partner.test\n');
  expect(allowed).toBe(1);
  const response = await get(cookie, site.id, `/${id}/lines`);
  expect(response.json().lines).toMatchObject([{ status: 'allowed', reason: 'An admin protects this site.' }]);
  expect(response.body).not.toContain('secret');
});

test('there are warnings about protected domains, conflicts and websites of many owners', async () => {
  const { cookie, site } = await createOwner();
  await decide(site.id, {
    'wikipedia.org': 'disavow',
    'blog.partner.test': 'disavow',
    'other.test': 'disavow',
    'a.other.test': 'keep',
  });
  expect((await upload(cookie, site.id, 'domain:blogfa.com\n')).warnings).toEqual([
    'The merged file leaves out other.test, because it would also disavow a.other.test, which you decided to keep.',
    'The merged file contains blog.partner.test. An admin protects this site.',
    'The merged file contains wikipedia.org, a well-known site.',
    '“domain:blogfa.com” disavows the websites of many owners. Disavow single ones instead, such as “domain:name.blogfa.com”.',
  ]);
  const many = Array.from({ length: 15 }, (_, i) => [`d${i}.gov`, 'disavow'] as const);
  await decide(site.id, Object.fromEntries(many));
  const { warnings } = await upload(cookie, site.id, 'domain:listed.test\n');
  expect(warnings.filter((one) => one.includes('public institutions'))).toHaveLength(9);
  expect(warnings).toContain('7 more domains that the merged file adds are protected.');
});

test('warnings of one kind beyond the tenth are counted, also a single one', async () => {
  const { cookie, site } = await createOwner();
  const wellKnown = Array.from({ length: 11 }, (_, i) => `site${i}.gov`);
  await decide(site.id, Object.fromEntries(wellKnown.map((name) => [name, 'disavow' as const])));
  const { id, warnings } = await upload(cookie, site.id, '# nothing');
  expect([warnings.length, warnings.at(-1)]).toEqual([11, '1 more domain that the merged file adds is protected.']);
  await decide(site.id, { 'site11.gov': 'disavow' });
  const later = (await get(cookie, site.id, `/${id}`)).json();
  expect(later.warnings.at(-1)).toBe('2 more domains that the merged file adds are protected.');
});

test('the domains with the highest risk in the newest report are added first, and the rest is counted', async () => {
  const { cookie, site } = await createOwner();
  await analyze(cookie, site.id, 'url\nhttps://listed.test/\nhttps://other.test/\n');
  await analyze(cookie, site.id, 'url\nhttps://listed.test/\nhttps://third.test/\n');
  await decide(site.id, {
    'a.test': 'disavow',
    'listed.test': 'disavow',
    'other.test': 'disavow',
    'third.test': 'disavow',
  });
  const existing = Array.from({ length: 99_997 }, (_, i) => `domain:d${i}.de\n`).join('');
  const { id, warnings, added } = await upload(cookie, site.id, existing);
  expect(added).toBe(2);
  expect(warnings).toEqual([
    "The merged file leaves out 2 domains that you decided to disavow, because of Google's limits: 100,000 lines and 2,000,000 bytes.",
    expect.stringMatching(/^The merged file is close to Google's limits: it has 100,000 lines/),
  ]);
  const merged = (await get(cookie, site.id, `/${id}/merged.txt`)).body;
  expect(merged.split('\n').slice(-4)).toEqual([
    `# Added by Linksieve on ${today}`,
    'domain:listed.test',
    'domain:third.test',
    '',
  ]);
  expect((await upload(cookie, site.id, merged)).added).toBe(0);
  const fuller = await upload(cookie, site.id, `${existing}# One more line\n`);
  expect((await get(cookie, site.id, `/${fuller.id}/merged.txt`)).body).toMatch(/\ndomain:third\.test\n$/);
  expect(fuller.added).toBe(1);
});

test('a file above the limits of Google is accepted with a warning, one above ours is not', async () => {
  const { cookie, site } = await createOwner();
  const { warnings } = await upload(cookie, site.id, buildLines(100_001));
  expect(warnings).toEqual([
    expect.stringMatching(/^Google rejects the file that you uploaded: it has 100,001 lines/),
    expect.stringMatching(/^Google rejects the merged file: it has 100,001 lines .* Remove lines/),
  ]);
  const tooMany = await send(cookie, site.id, '\n'.repeat(200_000).concat('#'));
  expect([tooMany.statusCode, tooMany.json().fields]).toEqual([400, { file: expect.stringMatching(/200,000 lines/) }]);
  const tooLarge = await send(cookie, site.id, Buffer.alloc(maxDisavowFileBytes + 1, '#'));
  expect([tooLarge.statusCode, tooLarge.json().error]).toEqual([413, 'File size exceeds the limit (10MB)']);
  expect((await send(cookie, site.id, Buffer.alloc(maxDisavowFileBytes, '#'))).statusCode).toBe(201);
  expect(await readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
}, 30_000);

const workbook = zipSync({ '[Content_Types].xml': Buffer.from('<x/>') });
test.each<[kind: string, content: string | Uint8Array, sentence: RegExp]>([
  ['an empty file', '', /file is empty/],
  ['a file with only white space', ' \r\n\n', /file is empty/],
  ['a zip archive', zipSync({ 'disavow.txt': Buffer.from('domain:a.test') }), /archive\. Unpack it/],
  ['a gzip archive', gzipSync('domain:a.test'), /archive\. Unpack it/],
  ['a workbook', workbook, /spreadsheet/],
  ['a PDF document', '%PDF-1.7 text', /document/],
  ['an image', '\x89PNG\r\n', /not a text file/],
  ['binary content', Buffer.alloc(100), /not a text file/],
  ['a web page', '<!doctype html><title>Sign in</title>', /web page/],
  ['a JSON file', '[{"domain":"a.test"}]', /JSON/],
  [
    'an export with a header',
    'Linking page,Last crawled\nhttps://a.test/,2026-01-01\n',
    /table, such as a backlink export/,
  ],
  ['an export with tabs', 'a.test\t12\t3\nb.test\t1\t2\n', /table/],
  ['an export without a header', 'https://a.test/,https://me.example/\nhttps://b.test/,https://me.example/\n', /table/],
])('%s is refused with a sentence that says what to upload', async (_, content, sentence) => {
  const { cookie, site } = await createOwner();
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content);
  const { statusCode, json } = await send(cookie, site.id, bytes);
  expect([statusCode, json().fields]).toEqual([400, { file: expect.stringMatching(sentence) }]);
  expect(json().fields.file).toMatch(/pload the text file/);
});

test('a file with only comments, and pages with commas in their names, are disavow files', async () => {
  const { cookie, site } = await createOwner();
  const comments = await upload(cookie, site.id, '# a, b, c\n# d; e\n');
  expect(comments).toMatchObject({ lines: 2, comments: 2, added: 0 });
  expect((await get(cookie, site.id, `/${comments.id}/merged.txt`)).body).toBe('# a, b, c\n# d; e\n');
  const pages = await upload(
    cookie,
    site.id,
    'http://listed.test/a,1.html\nhttp://listed.test/b,2.html\nan error, really',
  );
  expect(pages).toMatchObject({ kept: 2, invalidCount: 1 });
});

test.each<[encoding: string, bytes: Buffer]>([
  ['UTF-8', Buffer.from('# ü\ndomain:müller.example')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff# ü\ndomain:müller.example')],
  ['UTF-16LE', Buffer.from('\ufeff# ü\ndomain:müller.example', 'utf16le')],
  ['UTF-16LE without a byte order mark', Buffer.from('# ü\ndomain:müller.example', 'utf16le')],
  ['UTF-16BE', Buffer.from('\ufeff# ü\ndomain:müller.example', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('# ü\ndomain:müller.example', 'latin1')],
])('a file in %s is read', async (_, bytes) => {
  const { cookie, site } = await createOwner();
  const { id } = await upload(cookie, site.id, bytes);
  expect((await get(cookie, site.id, `/${id}/merged.txt`)).body).toBe('# ü\ndomain:xn--mller-kva.example\n');
  expect((await get(cookie, site.id, `/${id}/original.txt`)).body).toBe('# ü\ndomain:müller.example');
});

test('a NUL in a file is stored as a replacement character', async () => {
  const { cookie, site } = await createOwner();
  const review = await upload(cookie, site.id, '# a comment with a NUL \0\ndomain:a\0b.test\ndomain:listed.test\n');
  expect(review).toMatchObject({ kept: 1, invalid: [{ line: 2, text: 'domain:a\ufffdb.test' }] });
});

test('a long line is cut in responses', async () => {
  const { cookie, site } = await createOwner();
  const { id, invalid } = await upload(cookie, site.id, 'x'.repeat(100_000));
  expect(invalid).toMatchObject([{ text: `${'x'.repeat(4095)}…` }]);
  expect((await get(cookie, site.id, `/${id}/lines`)).json().lines[0].text).toHaveLength(4096);
});

test('two files are compared by their valid entries', async () => {
  const { cookie, site } = await createOwner();
  const before = await upload(cookie, site.id, 'domain:b.test\nDOMAIN:WWW.Same.test\nhttp://gone.test/\nwrong\n');
  const after = await upload(cookie, site.id, '# new\ndomain:same.test\ndomain:c.test\ndomain:a.test\n');
  const changes = await get(cookie, site.id, `/${after.id}/changes?since=${before.id}`);
  expect(changes.json()).toEqual({
    added: ['domain:a.test', 'domain:c.test'],
    removed: ['domain:b.test', 'http://gone.test/'],
    addedCount: 2,
    removedCount: 2,
  });
  const many = Array.from({ length: 1500 }, (_, i) => `domain:d${i}.example`).join('\n');
  const large = await upload(cookie, site.id, many);
  const { added, addedCount } = (await get(cookie, site.id, `/${large.id}/changes?since=${after.id}`)).json();
  expect([added.length, addedCount]).toEqual([1000, 1500]);
  const elsewhere = await createWebsite(cookie);
  const foreign = await upload(cookie, elsewhere.id, 'domain:b.test');
  expect((await get(cookie, site.id, `/${after.id}/changes?since=${foreign.id}`)).statusCode).toBe(404);
  expect((await get(cookie, site.id, `/${after.id}/changes`)).statusCode).toBe(400);
});

test('concurrent uploads cannot store more files than allowed, and a deleted one makes room', async () => {
  const { cookie, site } = await createOwner();
  const first = await upload(cookie, site.id, 'domain:a.test');
  for (let i = 2; i < maxDisavowFiles; i += 1) await upload(cookie, site.id, 'domain:a.test');
  const responses = await Promise.all(['a', 'b', 'c'].map((name) => send(cookie, site.id, `domain:${name}.test`)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  const files = (await get(cookie, site.id)).json();
  expect(files).toHaveLength(maxDisavowFiles);
  const ids = files.map((file: { id: number }) => file.id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
  const path = `/api/profiles/${site.id}/disavow-files/${first?.id}`;
  expect((await call('DELETE', path, { as: cookie })).statusCode).toBe(204);
  expect((await call('DELETE', path, { as: cookie })).statusCode).toBe(404);
  expect((await send(cookie, site.id, 'domain:a.test')).statusCode).toBe(201);
});

test("nobody can read, change or use another user's files, or reach them through another website", async () => {
  const [owner, other] = [await createOwner(), await createOwner()];
  const { id } = await upload(owner.cookie, owner.site.id, 'domain:listed.test');
  const second = await createWebsite(owner.cookie);
  const paths = ['', '/merged.txt', '/reavow.txt', '/original.txt', '/lines', `/changes?since=${id}`];
  for (const path of paths) {
    expect((await get(owner.cookie, owner.site.id, `/${id}${path}`)).statusCode).toBe(200);
    expect((await get(other.cookie, owner.site.id, `/${id}${path}`)).statusCode).toBe(404);
    expect((await get(other.cookie, other.site.id, `/${id}${path}`)).statusCode).toBe(404);
    expect((await get(owner.cookie, second.id, `/${id}${path}`)).statusCode).toBe(404);
  }
  expect((await get(other.cookie, owner.site.id)).statusCode).toBe(404);
  expect((await send(other.cookie, owner.site.id, 'domain:a.test')).statusCode).toBe(404);
  expect((await send(undefined, owner.site.id, 'domain:a.test')).statusCode).toBe(401);
  const deletion = await call('DELETE', `/api/profiles/${owner.site.id}/disavow-files/${id}`, { as: other.cookie });
  expect(deletion.statusCode).toBe(404);
  expect((await get(owner.cookie, owner.site.id)).json()).toHaveLength(1);
  await call('DELETE', `/api/profiles/${owner.site.id}`, { as: owner.cookie });
  const now = () => new Date(Date.now() + 2 * undoMs);
  await purgeDeletedRows({ ...context, now }, new AbortController().signal);
  const rest = await context.db.selectFrom('disavow_files').select('id').where('id', '=', id).execute();
  expect(rest).toEqual([]);
});

test('a file of 100,000 lines is compared in a few queries', async () => {
  const { cookie, site } = await createOwner();
  const { id } = await upload(cookie, site.id, Array.from({ length: 100_000 }, (_, i) => `domain:d${i}.de`).join('\n'));
  // A query per line would take longer than the test may.
  expect((await get(cookie, site.id, `/${id}`)).json()).toMatchObject({ noLongerListed: 100_000 });
});
