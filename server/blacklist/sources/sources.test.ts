import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { toDomainCells } from '../domains/write.ts';
import { importJob } from '../imports/jobs.ts';
import { parseDomainRow } from '../imports/parse-row.ts';
import { buildSite, buildSubmissionCalls } from '../submissions/submissions.fixtures.ts';
import { sourceRunJob } from './jobs.ts';
import { readSources, toSingleLine } from './sources.ts';

const testApp = await startTestApp({}, { work: [importJob, sourceRunJob] });
const { call, signUp } = testApp;

/** Line ends, tabs, control characters, all kinds of spaces and direction marks. */
const unwanted = [
  ...'\r\n\t\v\u0001\u001b\u0085\u00a0\u2028\u2029\u3000 \u061c\u200b\u200f\u202a\u202e\u2066\u2069\ufeff',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...unwanted), fc.constantFrom(...'Health$80,"\u05d0\u{1f4a1}')), { maxLength: 40 })
  .map((parts) => parts.join(''));
const notSingleLine = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\s{2}|^\s|\s$/u;

test('a single line has no control characters, no direction marks and only single spaces between words', () => {
  fc.assert(
    fc.property(text, (given) => {
      const line = toSingleLine(given);
      expect(line).not.toMatch(notSingleLine);
      expect(toSingleLine(line)).toBe(line);
      expect(line.replaceAll(' ', '')).toBe(unwanted.reduce((rest, sign) => rest.replaceAll(sign, ''), given));
    }),
  );
});

test('half a character in a source is stored as the database reads it', () => {
  expect(readSources('one\ud800, two')).toEqual({ sources: ['one\ufffd', 'two'] });
});

test('forms and imports store the same single line for any niche, cost and source', () => {
  fc.assert(
    fc.property(text, text, text, (niche, cost, source) => {
      const input = { domain: 'a.example', source: 'x', niche, cost };
      const entered = toDomainCells({ name: 'a.example', tld: 'example' }, [{ name: 'x' }], input);
      const read = readSources(source);
      const imported = parseDomainRow(1, { ...input, source: `x,${source}` });
      for (const cell of [entered.niche, entered.cost]) expect(cell ?? '').not.toMatch(notSingleLine);
      expect(imported).toMatchObject({ name: 'a.example' });
      if ('reason' in imported) return;
      expect([imported.niche ?? null, imported.cost ?? null]).toEqual([entered.niche, entered.cost]);
      for (const name of 'sources' in read ? read.sources : []) expect(name).not.toMatch(notSingleLine);
    }),
  );
});

test('a niche with a line end is stored the same whether it is added, edited, imported or submitted', async () => {
  const { send, decide } = buildSubmissionCalls(testApp);
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const cells = { niche: 'Health\r\nTravel', cost: '\u202e$80\t', source: 'crawler' };
  const as = admin.cookie;
  const added = await call('POST', '/api/domains', { as, body: { domain: 'added.example', ...cells } });
  const changed = await call('POST', '/api/domains', { as, body: { domain: 'changed.example', source: 'crawler' } });
  await call('PUT', `/api/domains/${changed.json().id}`, { as, body: { domain: 'changed.example', ...cells } });
  const { id } = (await send(user.cookie, 'sent.example', buildSite('sent.example', cells))).json();
  await decide(as, id, { status: 'approved' });
  const form = new FormData();
  const lines = `domain,source,niche,cost\nimported.example,crawler,"${cells.niche}","${cells.cost}"\n`;
  form.append('file', new File([lines], 'list.csv'));
  const encoded = new Response(form);
  await call('POST', '/api/domains/upload', {
    as,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  expect(added.json()).toMatchObject({ niche: 'Health Travel', cost: '$80' });
  const { domains } = (await call('GET', '/api/domains', { as })).json();
  expect(domains.map(({ niche, cost }: { niche: string; cost: string }) => `${niche} ${cost}`)).toEqual(
    Array.from({ length: 4 }, () => 'Health Travel $80'),
  );
  expect((await call('GET', '/api/domains/niches', { as })).json()).toEqual(['Health Travel']);
});

test('a submission with only invisible characters in a field is rejected with an error for that field', async () => {
  const { send } = buildSubmissionCalls(testApp);
  const { cookie } = await signUp();
  for (const field of ['source', 'niche', 'cost']) {
    const response = await send(cookie, 'unseen.example', { [field]: '\u202e\u200b\u200f' });
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]]);
  }
});
