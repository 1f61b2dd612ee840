import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { asAdmin, post, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { type ExtensionBrowser, type NetworkLog, readMarks, startExtension } from './extension-browser.ts';
import { test } from './test.ts';

const word = uniqueName('ext');
const seller = `${word}-seller.example`;
const market = `${word}-market.example`;
const clean = `${word}-clean.example`;

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await asAdmin(page, async (request) => {
    await post(request, '/api/domains', { domain: seller, source: 'a, b, c, d, e, f', riskLevel: 'very high' });
    await post(request, '/api/domains', { domain: market, source: 'a, b', riskLevel: 'medium' });
  });
  await page.close();
});

/** Sets the address of the installation on the page that the extension opens. */
async function setUp({ options }: ExtensionBrowser): Promise<void> {
  await options.getByLabel('Address of the installation').fill(getOrigin());
  await options.getByRole('button', { name: 'Save' }).click();
  await expect(options.getByText(/^Connected\. [\d,]+ domains on the blacklist\.$/)).toBeVisible();
}

const getOrigin = () => String(test.info().project.use.baseURL);

/** Expects that the installation got prefixes, and nothing that contains one of these names or its hash. */
function expectOnlyPrefixes({ urls, hosts, sent }: NetworkLog, names: readonly string[]): void {
  const requests = urls.filter((url) => url.startsWith(getOrigin()));
  expect(requests.length).toBeGreaterThan(0);
  for (const url of requests) expect(url.slice(getOrigin().length)).toMatch(/^\/api\/v1\/range(?:\/[0-9a-f]{4})?$/);
  expect(sent).toContain('GET /api/v1/range/');
  for (const name of names) {
    expect([...urls, ...hosts].filter((text) => text.includes(name))).toEqual([]);
    expect(sent).not.toContain(name);
    expect(sent).not.toContain(createHash('sha256').update(name).digest('hex'));
  }
}

/** Serves a page at an address that does not exist. */
async function showPage({ context }: ExtensionBrowser, url: string, body: string): Promise<Page> {
  await context.route(`${new URL(url).origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>A page</title><body>${body}</body>` }),
  );
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Waits until a page has exactly these marks, in its order. */
const expectMarks = (page: Page, marks: readonly { domain: string; text: string }[]) =>
  expect
    .poll(() => readMarks(page))
    .toEqual(
      marks.map(({ domain, text }) => ({
        name: expect.stringContaining(`: ${domain} is listed by `),
        text,
        url: `${getOrigin()}/domain/${domain}`,
      })),
    );

const bingUrl = (url: string) => `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(url).toString('base64url')}&ntb=1`;

const engines = [
  {
    name: 'Google',
    url: 'https://www.google.com/search?q=shoes',
    body: `<div id="search"><div id="rso">
      <div><span><a href="https://${seller}/shoes"><h3>Shoes</h3><cite>${seller}</cite></a></span></div>
      <div><span><a href="https://www.google.com/url?q=https://blog.${market}/a&amp;sa=U"><h3>Blog</h3></a></span></div>
      <div><span><a href="https://${clean}/"><h3>Clean</h3></a></span></div>
      <div><span><a href="https://www.google.com/search?q=more"><h3>More</h3></a></span></div>
    </div></div>`,
    more: (page: Page) =>
      page.evaluate((host) => {
        document
          .querySelector('#rso')
          ?.insertAdjacentHTML('beforeend', `<a href="https://${host}/2"><h3>Again</h3></a>`);
      }, seller),
  },
  {
    name: 'Bing',
    url: 'https://www.bing.com/search?q=shoes',
    body: `<ol id="b_results"><li class="b_algo"><h2><a href="${bingUrl(`https://${seller}/shoes`)}">Shoes</a></h2></li>
      <li class="b_algo"><h2><a href="https://blog.${market}/a">Blog</a></h2></li>
      <li class="b_algo"><h2><a href="https://${clean}/">Clean</a></h2></li></ol>`,
    more: (page: Page) =>
      page.evaluate(
        (href) => {
          document
            .querySelector('#b_results')
            ?.insertAdjacentHTML('beforeend', `<li><h2><a href="${href}">Again</a></h2></li>`);
        },
        bingUrl(`https://${seller}/2`),
      ),
  },
  {
    name: 'DuckDuckGo',
    url: 'https://duckduckgo.com/?q=shoes',
    body: `<ol><li><article><h2><a href="https://${seller}/shoes"><span>Shoes</span></a></h2></article></li>
      <li><article><h2><a href="https://duckduckgo.com/l/?uddg=${encodeURIComponent(`https://blog.${market}/a`)}">Blog</a></h2></article></li>
      <li><article><h2><a href="https://${clean}/">Clean</a></h2></article></li></ol>`,
    more: (page: Page) =>
      page.evaluate((host) => {
        const html = `<li><article><h2><a href="https://${host}/2">Again</a></h2></article></li>`;
        document.querySelector('ol')?.insertAdjacentHTML('beforeend', html);
      }, seller),
  },
] as const;

test('results of search engines from listed domains are marked, and no name leaves the browser', async () => {
  const extension = await startExtension();
  await setUp(extension);
  for (const { name, url, body, more } of engines) {
    await test.step(name, async () => {
      const page = await showPage(extension, url, body);
      const marks = [
        { domain: seller, text: 'Very High Risk' },
        { domain: market, text: 'Medium Risk' },
      ];
      await expectMarks(page, marks);
      await expect.poll(extension.readBadge).toBe('2');
      await more(page);
      await expectMarks(page, [...marks, { domain: seller, text: 'Very High Risk' }]);
      expect(await page.evaluate(() => document.querySelector('linksieve-mark')?.shadowRoot)).toBeNull();
    });
  }
  await extension.options.bringToFront();
  await extension.options.getByLabel('Beside results of Google, Bing and DuckDuckGo').uncheck();
  const page = await showPage(extension, 'https://www.google.com/search?q=boots', engines[0].body);
  await expect(page.getByText('Clean')).toBeVisible();
  expect(await page.locator('linksieve-mark').count()).toBe(0);
  expectOnlyPrefixes(await extension.close(), [seller, market, clean, `blog.${market}`]);
});

test('the popup shows the risk of a site, scans its page and highlights offers', async () => {
  const extension = await startExtension();
  const url = `https://www.${market}/offers`;
  const page = await showPage(
    extension,
    url,
    `<h1>Guest posts</h1><table><tr><td>${seller}</td><td>$80</td></tr><tr><td>${clean}</td><td>$20</td></tr>
      <tr><td><a href="https://${seller}/about" rel="nofollow">A shop</a></td><td>Node.js, report.pdf, 1.2.3</td></tr></table>
      <a href="/terms">Terms</a> <a href="https://shop.${market}/">Shop</a> <a href="https://${clean}/=1">=Clean</a>
      <a href="https://${clean}/2">Clean</a>`,
  );

  await test.step('before it is set up', async () => {
    const popup = await extension.openPopup(page);
    await expect(popup.getByRole('heading', { name: 'Choose your Linksieve' })).toBeVisible();
    await popup.getByRole('button', { name: `Use www.${market}` }).click();
    await expect(popup.getByRole('alert')).toHaveText(
      `www.${market} cannot be reached. Check its address and your connection.`,
    );
    await popup.close();
    await setUp(extension);
  });

  const popup = await extension.openPopup(page);
  await test.step('the site', async () => {
    await expect(popup.getByRole('heading', { name: market })).toContainText('Medium Risk');
    await expect(popup.getByRole('main')).toContainText('ConfidenceProbable');
    await expect(popup.getByRole('main')).toContainText('Sources2');
    await expect(popup.getByRole('main')).toContainText(/Listed since\w{3} \d{1,2}, 20\d\d/);
    await expect(popup.getByRole('link', { name: 'See the evidence' })).toHaveAttribute(
      'href',
      `${getOrigin()}/domain/${market}`,
    );
    expect(await extension.readBadge()).toBe('med');
    expect(await findViolations(popup)).toEqual([]);
  });

  await test.step('a scan', async () => {
    await popup.getByRole('button', { name: 'Scan this page' }).click();
    await expect(popup.getByRole('heading', { name: '2 outgoing domains: 1 listed' })).toBeVisible();
    await expect(popup.getByRole('listitem').first()).toHaveText(`${seller}Very High Risk1 link, nofollow`);
    await popup.getByText('1 domain not listed').click();
    await expect(popup.getByRole('listitem').nth(1)).toHaveText(`${clean}2 links`);
    expect(await findViolations(popup)).toEqual([]);
    await popup.getByRole('button', { name: 'Copy listed domains' }).click();
    await expect(popup.getByRole('button', { name: 'Copied' })).toBeVisible();
    const downloading = popup.waitForEvent('download');
    await popup.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`linksieve-www.${market}.csv`);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain('domain,riskLevel,confidence,sourceCount,dateAdded,listedAs,links,follow,anchor,url\r\n');
    expect(csv).toContain(`\r\n${seller},very high,`);
    expect(csv).toContain(`\r\n${clean},,,,,,2,true,'=Clean,https://${clean}/=1\r\n`);
  });

  await test.step('offers', async () => {
    await popup.getByRole('button', { name: 'Highlight offers' }).click();
    await expect(popup.getByRole('status')).toHaveText(/^\d domains checked, 2 listed names highlighted\.$/);
    const marks = ['Very High Risk', `Very High Risk: ${seller}`].map((text) => ({ domain: seller, text }));
    await expectMarks(page, marks);
    await popup.getByRole('button', { name: 'Highlight offers' }).click();
    await expect(popup.getByRole('status')).toHaveText(/2 listed names highlighted/);
    await expectMarks(page, marks);
  });
  const log = await extension.close();
  // The browser itself visits the site, so only what the installation got is compared.
  expectOnlyPrefixes({ ...log, urls: log.urls.filter((one) => one.startsWith(getOrigin())), hosts: [] }, [
    seller,
    clean,
    market,
  ]);
});

test('the toolbar icon shows the risk of every site after the permission was given', async () => {
  // Nobody can press the browser's own question in a test, so the permission is there from the start.
  const extension = await startExtension({
    change: ({ permissions, ...manifest }) => ({ ...manifest, permissions: [...permissions, 'tabs'] }),
  });
  await setUp(extension);
  const before = await showPage(extension, `https://${seller}/`, 'A shop');
  await expect(before.getByText('A shop')).toBeVisible();
  expect(await extension.readBadge()).toBe('');
  await extension.options.bringToFront();
  // The box is checked when the browser has given the permission.
  const everySite = extension.options.getByLabel('On the toolbar icon, for every site that you open');
  await everySite.click();
  await expect(everySite).toBeChecked();
  await before.bringToFront();
  await before.reload();
  await expect.poll(extension.readBadge).toBe('max');
  await showPage(extension, `https://deep.blog.${market}/`, 'A blog');
  await expect.poll(extension.readBadge).toBe('med');
  await showPage(extension, `https://${clean}/`, 'Clean');
  await expect.poll(extension.readBadge).toBe('');
  const log = await extension.close();
  expectOnlyPrefixes({ ...log, urls: log.urls.filter((one) => one.startsWith(getOrigin())), hosts: [] }, [
    seller,
    clean,
    market,
  ]);
});

test('the settings explain a wrong address, work with the keyboard, and are readable in both themes', async () => {
  const extension = await startExtension();
  const { options } = extension;
  const address = options.getByLabel('Address of the installation');
  const result = options.getByRole('status');
  for (const [text, sentence] of [
    ['', 'Enter the address of your Linksieve, such as https://linksieve.example.'],
    ['not an address', 'Enter the address of your Linksieve, such as https://linksieve.example.'],
    ['http://127.0.0.1:9', '127.0.0.1:9 cannot be reached. Check its address and your connection.'],
  ] as const) {
    await address.fill(text);
    await address.press('Enter');
    await expect(result).toHaveText(sentence);
  }
  await address.fill(`${getOrigin()}/extension?a=b`);
  await address.press('Enter');
  await expect(result).toHaveText(/^Connected\./);
  await expect(address).toHaveValue(getOrigin());
  for (const colorScheme of ['light', 'dark'] as const) {
    await options.emulateMedia({ colorScheme });
    expect(await findViolations(options)).toEqual([]);
  }
  await options.setViewportSize({ width: 360, height: 700 });
  expect(await options.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await extension.close();
});
