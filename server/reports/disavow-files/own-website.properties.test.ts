import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { parseLines } from './parse.ts';
import { reviewFile } from './review.ts';

const { context } = await startTestApp();
const runs = { numRuns: Math.max(25, numRuns(100)) };

const review = (website: string, lines: readonly string[], disavow: readonly string[] = []) =>
  reviewFile(
    context.db,
    { lines: parseLines(lines.join('\n')), bytes: 1, website },
    disavow.map((domain) => ({ domain, decision: 'disavow' as const })),
    '2026-11-25',
  );

const websites = fc.constantFrom('odd-own.com', 'blog.odd-own.com', 'a.b.odd-own.co.uk', 'me.blogspot.com');
/** The website itself, a subdomain and its parent. */
const ownNames = websites.chain((website) =>
  fc
    .constantFrom(website, `shop.${website}`, `a.b.${website}`, website.slice(website.indexOf('.') + 1))
    .map((name) => ({
      website,
      name: name.includes('.') && name !== 'co.uk' ? name : website,
    })),
);
const writers = fc.constantFrom<(name: string) => string>(
  (name) => `domain:${name}`,
  (name) => `DOMAIN: WWW.${name.toUpperCase()}.`,
  (name) => `http://${name}/page?a=1`,
  (name) => `https://www.${name}`,
);
/** Lines that Google does not read, each with only one correction. */
const brokenWriters = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => `domain:${name},`,
  (name) => `domain=${name}`,
  (name) => `domain ${name}`,
  (name) => `*.${name}`,
  (name) => `site:${name}`,
  (name) => `"domain:${name}"`,
  (name) => `domain:${name} # mine`,
  (name) => `http//${name}/page`,
);
/** Lines about pages of the shared host that a website is on are not among them. */
const isPage = (line: string) => /^http/i.test(line);
const others = fc.constantFrom('bad9.com', 'notodd-own.com', 'odd-own.org', 'you.blogspot.com', 'other.co.uk');

test('a line about the website itself, its parent or a part of it has a severe warning, and stays', async () => {
  await fc.assert(
    fc.asyncProperty(ownNames, writers, others, async ({ website, name }, write, other) => {
      fc.pre(name !== 'blogspot.com' || !isPage(write(name)));
      const { warnings, severeWarnings, lines } = await review(website, [`domain:${other}`, write(name)]);
      expect(severeWarnings).toBe(1);
      expect(warnings[0]).toMatch(/^Line 2, “.*”, disavows .*own website.* Remove the line\.$/);
      expect(lines[1]).toMatchObject({ fix: null, reason: expect.stringMatching(/own website/) });
      expect(lines[1]?.status).toMatch(/^(kept|noLongerListed|allowed)$/);
    }),
    runs,
  );
});

test('no fix is offered for the website itself', async () => {
  await fc.assert(
    fc.asyncProperty(ownNames, brokenWriters, others, async ({ website, name }, write, other) => {
      fc.pre(name !== 'blogspot.com' || !isPage(write(name)));
      const { lines } = await review(website, [write(name), write(other)]);
      expect(lines[0]).toMatchObject({ status: 'invalid', fix: null, reason: expect.stringMatching(/own website/) });
      expect(lines[1]?.fix).not.toBeNull();
    }),
    runs,
  );
});

test('the website itself is never added, also not by a decision', async () => {
  await fc.assert(
    fc.asyncProperty(ownNames, others, async ({ website, name }, other) => {
      const { merge, warnings, severeWarnings } = await review(website, ['# mine'], [name, other]);
      expect(merge.added).toEqual([other]);
      expect(severeWarnings).toBe(1);
      expect(warnings[0]).toContain(name);
    }),
    runs,
  );
});

test.each([
  ['me.medium.com', 'https://medium.com/@spammer/post'],
  ['me.substack.com', 'https://substack.com/@spam'],
  ['me.tumblr.com', 'https://www.tumblr.com/spam/1'],
  ['me.blogspot.com', 'http://blogspot.com/x'],
  ['me.blogspot.de', 'http://www.blogspot.de/x'],
])('for the website %s, the page %s has no severe warning, but a line for its host has', async (website, page) => {
  const { severeWarnings, lines } = await review(website, [page]);
  expect([severeWarnings, lines[0]?.reason]).toEqual([0, null]);
  expect((await review(website, [`domain:${new URL(page).host}`])).severeWarnings).toBe(1);
  expect((await review(website, [`http://${website}/page`])).severeWarnings).toBe(1);
});

test('other websites have no severe warning', async () => {
  await fc.assert(
    fc.asyncProperty(websites, others, writers, async (website, other, write) => {
      expect((await review(website, [write(other)])).severeWarnings).toBe(0);
    }),
    runs,
  );
});
