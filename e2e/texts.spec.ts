import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { laterTexts, publicTexts } from './spec-texts.ts';
import { adminTexts } from './spec-texts-admin.ts';
import { checkoutTexts } from './spec-texts-checkout.ts';
import { userTexts } from './spec-texts-user.ts';

test('each situation of the list of texts is brought about', () => {
  const specs = readdirSync(import.meta.dirname).filter((file) => /^texts-.*\.spec\.ts$/.test(file));
  const source = specs.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
  const situations = Object.keys({ ...publicTexts, ...userTexts, ...adminTexts, ...checkoutTexts });
  expect(situations.filter((situation) => !source.includes(`'${situation}'`))).toEqual([]);
});

test('what is not looked for yet has a reason', () => {
  for (const { because, texts } of Object.values(laterTexts)) {
    expect(because).toMatch(/\w\.$/);
    expect(texts.length).toBeGreaterThan(0);
  }
});
