import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startExtension } from './extension-browser.ts';
import { importCsv } from './sample-data.ts';
import { test } from './test.ts';

/**
 * `TEST_THOROUGH=1 EXTENSION_PICTURES=web/public/extension npm run test:e2e -- extension-pictures` takes the pictures
 * of the page of the extension again.
 */
const target = process.env.EXTENSION_PICTURES;

const listed = [
  'guestpost-bazaar.example,very high,"marketplace-a, marketplace-b, crawler, community, list-c"',
  'quillpress-weekly.example,high,"marketplace-a, crawler, list-c, list-d"',
  'homeandhearth-tips.example,medium,"marketplace-a, marketplace-b"',
  'fitliving-journal.example,low,crawler',
];

const results = [
  [
    'Running shoes: the complete guide for 2026',
    'stride-lab.example',
    '/guides/running-shoes',
    'How to choose by gait, surface and distance, with test results from our own track.',
  ],
  [
    '12 best running shoes for beginners',
    'quillpress-weekly.example',
    '/best-running-shoes',
    'Our editors picked twelve pairs for every budget. Updated this month.',
  ],
  [
    'How to start running in eight weeks',
    'fitliving-journal.example',
    '/start-running',
    'A gentle plan that takes you from walking to five kilometers without injuries.',
  ],
  [
    'Running shoe reviews and ratings',
    'track-and-trail.example',
    '/reviews',
    'More than 400 models, measured in the laboratory and worn on the road.',
  ],
  [
    'Why your running shoes matter',
    'homeandhearth-tips.example',
    '/running-shoes-matter',
    'The right pair protects your knees. Five signs that it is time for a new one.',
  ],
] as const;

const resultsPage = `<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0; padding: 24px 40px; background: light-dark(#fff, #1c1f24); color: light-dark(#3c4250, #b9bfc9); }
  .query { width: 480px; padding: 9px 18px; border: 1px solid light-dark(#d5d9e0, #414752); border-radius: 99px; color: light-dark(#1d2430, #e8eaee); }
  .result { max-width: 640px; margin-top: 26px; } h3 { display: inline; font-size: 19px; font-weight: 500; }
  a { color: light-dark(#1a3fae, #9db7ff); text-decoration: none; } cite { display: block; font: 13px system-ui, sans-serif; }
  p { margin: 3px 0 0; }
</style><div class="query">running shoes</div><div id="search">${results
  .map(
    ([title, host, path, text]) =>
      `<div class="result"><cite>https://${host} › ${path.slice(1)}</cite><a href="https://${host}${path}"><h3>${title}</h3></a><p>${text}</p></div>`,
  )
  .join('')}</div>`;

const articlePage = `<h1>Partners</h1>${[
  'guestpost-bazaar.example/order',
  'quillpress-weekly.example/about',
  'quillpress-weekly.example/write-for-us',
  'homeandhearth-tips.example',
  'stride-lab.example/guides',
  'track-and-trail.example',
  'city-library.example',
]
  .map((link) => `<p><a href="https://${link}">${link}</a></p>`)
  .join('')}`;

for (const theme of ['light', 'dark'] as const) {
  test(`the extension can be captured for its page in the ${theme} theme`, async ({ page: own }, testInfo) => {
    await importCsv(own, `domain,riskLevel,source\n${listed.join('\n')}\n`);
    const extension = await startExtension({
      arguments: ['--screen-info={2800x2400 devicePixelRatio=2}', '--window-size=1300,1100'],
      colorScheme: theme,
    });
    const { context, options } = extension;
    await options.getByLabel('Address of the installation').fill(String(testInfo.project.use.baseURL));
    await options.getByRole('button', { name: 'Save' }).click();
    await expect(options.getByText(/^Connected\./)).toBeVisible();
    const capture = (page: Page, name: string) =>
      page.screenshot({ path: target ? join(target, `${name}-${theme}.png`) : testInfo.outputPath(`${name}.png`) });

    await context.route('https://www.google.com/**', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: resultsPage }),
    );
    const search = await context.newPage();
    await search.setViewportSize({ width: 800, height: 600 });
    await search.goto('https://www.google.com/search?q=running+shoes');
    await expect(search.locator('linksieve-mark')).toHaveCount(3);
    await capture(search, 'results');

    await context.route('https://guestpost-bazaar.example/**', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: articlePage }),
    );
    const site = await context.newPage();
    await site.goto('https://guestpost-bazaar.example/partners');
    const popup = await extension.openPopup(site);
    await popup.emulateMedia({ colorScheme: theme });
    await expect(popup.getByRole('heading', { name: 'guestpost-bazaar.example' })).toBeVisible();
    await capture(popup, 'popup');
    await popup.getByRole('button', { name: 'Scan this page' }).click();
    await expect(popup.getByRole('listitem').first()).toBeVisible();
    await capture(popup, 'scan');
    await extension.close();
  });
}
