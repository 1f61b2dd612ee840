import { readdirSync, readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { allTexts, missingTexts } from './expect-texts.ts';
import { type SpecTexts, uncheckedTexts } from './spec-texts.ts';
import { test } from './test.ts';

const situations: Record<string, SpecTexts> = allTexts;

test('every situation in the lists of texts is checked by a test', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /\.spec\.ts$|^all-screens\.ts$/.test(file));
  const source = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
  const checks = source.match(/expectTexts\(\w+, '[^']+'\)|\btexts: \[[^\]]*\]/g)?.join('\n') ?? '';
  const checked = new Set(checks.match(/(?<=')[^']+(?=')/g));
  expect(Object.keys(situations).filter((situation) => !checked.has(situation))).toEqual([]);
});

test('every regular expression matches a whole phrase from start to end', () => {
  const phrases = Object.values(situations).flatMap(({ from: _, ...places }) => Object.values(places).flat());
  const unanchored = phrases.filter(
    (phrase) => phrase instanceof RegExp && !/^\^(?!\.[*+]).+(?<!\.[*+])\$$/.test(phrase.source),
  );
  expect(phrases.length).toBeGreaterThan(300);
  expect(unanchored).toEqual([]);
});

test('every unchecked text has a reason', () => {
  for (const { because, texts } of Object.values(uncheckedTexts)) {
    expect(because).toMatch(/\w\.$/);
    expect(texts.length).toBeGreaterThan(0);
  }
});

test('a text is found only in its place and as a whole phrase', async ({ page }) => {
  await page.setContent(`
    <header><a href="/auth">Sign&nbsp;In</a></header>
    <main>
      <p>Freedom of 16 cards. Processing may take several minutes (5&#8209;10 for 200K+ links).</p>
      <h2>Free <b>access</b></h2>
      <input placeholder="Search domains"><button aria-label="Delete shop.example">x</button>
      <select><option>All domains</option></select>
      <p style="display: none">Retry</p><p style="visibility: hidden">Close</p>
    </main>`);
  const missing = (texts: Omit<SpecTexts, 'from'>) => missingTexts(page, { from: 'a test', ...texts });

  const found = ['Free access', 'access', 'Search domains', /^Delete \S+$/, 'All domains'];
  expect(await missing({ header: ['Sign In'], main: [...found, 'may take several minutes (5-10'] })).toEqual([]);
  expect(await missing({ header: ['Sign In', 'Free access'], main: ['Sign In'], footer: ['Contact'] })).toEqual([
    'header: Free access',
    'main: Sign In',
    'footer: Contact',
  ]);
  const absent = ['Free', '16', 'cards', 'take several', 'take several minute', 'Delete', /^Del$/, 'Retry', 'Close'];
  expect(await missing({ main: absent })).toEqual(absent.map((text) => `main: ${text}`));
});
