import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DisavowLineStatus, disavowLineStatuses } from '#shared/reports/disavow-files.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { parseLines } from './parse.ts';
import { reviewFile, selectLines } from './review.ts';
import { listDecisions } from './store.ts';
import { buildDisavowCalls } from './upload.fixtures.ts';

const app = await startTestApp();
const { db } = app.context;
const { createDomains, createOwner, decide } = buildDisavowCalls(app);
await createDomains({ name: 'listed.test' }, { name: 'wanted.test' }, { name: 'partner.listed.test' });
await db
  .insertInto('site_rules')
  .values({ domain: 'partner.listed.test', decision: 'allow', reason: 'A partner' })
  .execute();
const { id: userId, site } = await createOwner();
await decide(site.id, { 'kept.test': 'keep', 'deep.kept-below.test': 'keep', 'wanted.test': 'disavow' });

const decisions = await listDecisions(db, userId, site.id);

/** Lines with the status that each has in a file without any other. */
const statusOf = new Map<string, DisavowLineStatus>([
  ['# comment', 'comment'],
  ['', 'comment'],
  ['listed.test', 'invalid'],
  ['domain:co.uk', 'invalid'],
  ['domain:sub.wanted.test', 'redundant'],
  ['http://wanted.test/page', 'redundant'],
  ['domain:kept.test', 'takenBack'],
  ['http://a.kept.test/page', 'takenBack'],
  ['domain:kept-below.test', 'takenBack'],
  ['domain:wikipedia.org', 'allowed'],
  ['http://www.harvard.edu/', 'allowed'],
  ['domain:a.partner.listed.test', 'allowed'],
  ['domain:forgotten.test', 'noLongerListed'],
  ['domain:a.kept-below.test', 'noLongerListed'],
  ['http://192.0.2.1/page', 'noLongerListed'],
  ['domain:blogfa.com', 'noLongerListed'],
  ['domain:wanted.test', 'kept'],
  ['domain:a.listed.test', 'kept'],
  ['http://listed.test/page', 'kept'],
]);

const review = (lines: readonly string[], website = 'own.example') =>
  reviewFile(db, { lines: parseLines(lines.join('\n')), bytes: 1, website }, decisions, '2026-11-25');

test("a line for another address of the website's blog disavows the website", async () => {
  const { warnings, severeWarnings } = await review(['domain:own.blogspot.fr', '#'], 'own.blogspot.de');
  expect(severeWarnings).toBe(1);
  expect(warnings[0]).toContain('disavows your own website. Remove the line.');
});

test.each([...statusOf])('the line %j alone is %s', async (text, status) => {
  expect((await review([text, '#'])).lines[0]?.status).toBe(status);
});

test('every line has exactly one status, and the counts add up to the number of lines', async () => {
  const lines = fc.array(fc.constantFrom(...statusOf.keys()), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lines, async (texts) => {
      const reviewed = await review([...texts, '#']);
      const { lines: total, comments, invalidCount, added, ...others } = reviewed.counts;
      const counts = { comment: comments, invalid: invalidCount, ...others };
      expect(total).toBe(texts.length + 1);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(total);
      expect(added).toBe(texts.includes('domain:wanted.test') ? 0 : 1);
      for (const status of disavowLineStatuses) {
        const found = selectLines(reviewed, { status }, { page: 0, pageSize: 100 });
        expect([status, found.total, found.lines.length]).toEqual([status, counts[status], counts[status]]);
        // A line has its own status, unless another one covers it.
        for (const { text } of found.lines) expect([statusOf.get(text) ?? 'comment', 'redundant']).toContain(status);
      }
    }),
  );
});
