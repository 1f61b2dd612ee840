import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { User } from '#shared/accounts/accounts.ts';
import { ExtensionLinks, extensionFiles, toExtensionLinks } from '#shared/checks/extension-links.ts';
import { framedPages, type PageState, prerenderedPages, publicPages } from '#shared/pages.ts';
import { type PageOptions, servePages } from './pages.ts';
import { createFastify } from './platform/http/fastify.ts';
import type { Proxies } from './platform/net/proxies.ts';

const folder = await mkdtemp(join(tmpdir(), 'linksieve-pages-'));
const publicFolder = join(import.meta.dirname, '../web/public');
/** What the server fills in on some pages only. */
const places: Record<string, string> = {
  domains: '<span>__BLACKLIST_COUNT__</span><p>__LAST_UPDATE__</p><i>__USER_INITIALS__</i>',
  home: '<dd>__BLACKLIST_SIZE__</dd><p>__LAST_UPDATE__</p>',
  about: '<p>__OPERATOR__</p><a href="__BOOK_A_CALL_URL__">',
  extension:
    '<code>__SITE_ADDRESS__</code><a href="__EXTENSION_CHROME__"><a href="__EXTENSION_EDGE__"><a href="__EXTENSION_FIREFOX__"><meta name="extension-links" content="__EXTENSION_LINKS__">',
};
const page = (name: string) =>
  `<title>${name}</title><link href="__ORIGIN__/x"><meta name="page-state" content="__PAGE_STATE__"><style nonce="__STYLE_NONCE__"></style>${places[name] ?? ''}${' '.repeat(2000)}`;
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'assets/a-1234.js'), 'plain');
await writeFile(join(folder, 'assets/a-1234.js.br'), 'squeezed');
await mkdir(join(folder, 'extension'));
await writeFile(join(folder, extensionFiles.chrome), 'packed');
for (const name of [
  'index',
  'not-found',
  'home',
  ...prerenderedPages.map((path) => path.slice(1).replaceAll('/', '-')).filter(Boolean),
  ...framedPages.flatMap((path) => [path.slice(1), `${path.slice(1)}-admin`]),
]) {
  await writeFile(join(folder, `${name}.html`), page(name));
}
afterAll(() => rm(folder, { recursive: true }));

function buildPagesApp(options: Partial<PageOptions> = {}, trustProxy: Proxies = 0) {
  const app = createFastify({
    log: pino({ level: 'silent' }),
    maxUploadBytes: 1,
    maxUploadFiles: 1,
    publicOrigin: undefined,
    trustProxy,
    requestsPerMinute: 1000,
  });
  servePages(app, {
    folder,
    publicOrigin: undefined,
    host: 'links.example',
    debug: false,
    blacklist: async () => ({ total: 12_345, lastUpdated: '2026-11-20T23:30:00.000Z' }),
    pageState: () => ({
      signedOut: true,
      bookACallUrl: 'https://calls.example/?a=1&b="2"',
      operator: null,
      sendsMail: false,
      takesPayments: false,
      debug: false,
      google: null,
    }),
    findUser: async () => undefined,
    extensionLinks: toExtensionLinks({ chrome: undefined, edge: undefined, firefox: undefined }),
    ...options,
  });
  return app;
}

const html = { accept: 'text/html', host: 'links.example' };

test('each public page has its own HTML, all other screens share index.html', async () => {
  const app = buildPagesApp();
  const titleAt = async (url: string) =>
    /<title>(.*)<\/title>/.exec((await app.inject({ url, headers: html })).body)?.[1];
  expect(await titleAt('/')).toBe('home');
  expect(await titleAt('/features')).toBe('features');
  expect(await titleAt('/pricing')).toBe('pricing');
  expect(await titleAt('/api/docs')).toBe('api-docs');
  expect(await titleAt('/domains?search=x')).toBe('index');
});

const user = { displayName: '<A> "B', email: 'ada@mail.example', isAdmin: false } as User;

test('a signed-in user gets the frame of a screen for users or admins, everyone else gets index.html', async () => {
  const served = async (findUser: PageOptions['findUser'], url: string) => {
    const { body, headers } = await buildPagesApp({ findUser }).inject({ url, headers: html });
    return [/<title>(.*)<\/title>/.exec(body)?.[1], body.includes('&quot;user&quot;:null'), headers['cache-control']];
  };
  const asUser = async () => user;
  const asAdmin = async () => ({ ...user, isAdmin: true });
  expect(await served(asUser, '/domains')).toEqual(['domains', false, 'private, no-cache']);
  expect(await served(asAdmin, '/risk-assessment')).toEqual(['risk-assessment-admin', false, 'private, no-cache']);
  expect(await served(asUser, '/domains?search=x')).toEqual(['index', false, 'private, no-cache']);
  expect(await served(async () => undefined, '/domains')).toEqual(['index', true, 'no-cache']);
  expect(await served(asUser, '/alerts')).toEqual(['index', true, 'no-cache']);
  expect(await served(asUser, '/features')).toEqual(['features', true, 'no-cache']);
});

test('the frame of the blacklist contains its size and date and the escaped initials of the user', async () => {
  const { body } = await buildPagesApp({ findUser: async () => user }).inject({ url: '/domains', headers: html });
  expect(body).toContain('<span>12,345 domains</span><p>Database updated <time');
  expect(body).toContain('<i>&lt;&quot;</i>');
  expect(body).toContain('&quot;blacklist&quot;:{&quot;total&quot;:12345,');
});

test('a path with a trailing slash redirects to the path without it, never to another host', async () => {
  const app = buildPagesApp();
  for (const [url, to] of [
    ['/features/', '/features'],
    ['/auth/?tab=register&a=%2F%2Fb?', '/auth?tab=register&a=%2F%2Fb?'],
    ['/admin/panel/', '/admin/panel'],
    ['/api/docs/?a=b', '/api/docs?a=b'],
    ['/extension/', '/extension'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url, headers: html });
    expect([url, statusCode, headers.location]).toEqual([url, 301, to]);
  }
  for (const url of ['//evil.example/', '//evil.example/features/', '/features//', '/Features', '/Features/']) {
    const { statusCode, headers } = await app.inject({ url, headers: html });
    expect([url, statusCode, headers.location]).toEqual([url, 404, undefined]);
  }
});

test('the home page contains the size and date of the blacklist, in its HTML and in the page state', async () => {
  const served = async (options: Partial<PageOptions> = {}, url = '/') =>
    (await buildPagesApp(options).inject({ url, headers: html })).body;
  const known = await served();
  expect(known).toContain('<dd>12,000+</dd>');
  expect(known).toContain('<p>Database updated <time datetime="2026-11-20T23:30:00.000Z">Nov 20, 2026</time></p>');
  expect(known).toContain('&quot;blacklist&quot;:{&quot;total&quot;:12345,');
  for (const lastUpdated of [null, '2026-11-20T23:30:00.000Z']) {
    const empty = await served({ blacklist: async () => ({ total: 0, lastUpdated }) });
    expect(empty).toContain('<dd>0</dd><p>No domains yet</p>');
  }
  expect(await served({ blacklist: async () => null })).toContain('<dd>\u2013</dd><p></p>');
  expect(await served({}, '/about')).toContain('&quot;blacklist&quot;:null');
});

test('the about page is served with the name of the operator, linked if there is an address, and escaped', async () => {
  const served = async (operator: PageState['operator']) => {
    const state = { signedOut: true, bookACallUrl: null, sendsMail: false, takesPayments: false, debug: false };
    const app = buildPagesApp({ pageState: () => ({ ...state, google: null, operator }) });
    return /<p>.*<\/p>/.exec((await app.inject({ url: '/about', headers: html })).body)?.[0];
  };
  expect(await served(null)).toBe('<p>an operator who has not published a name</p>');
  expect(await served({ name: 'Search & Co', url: null })).toBe('<p>Search &amp; Co</p>');
  expect(await served({ name: '<b>', url: 'https://op.example/?a=1&b="2"' })).toBe(
    '<p><a href="https://op.example/?a=1&amp;b=&quot;2&quot;" rel="noopener">&lt;b&gt;</a></p>',
  );
});

test('the about page is served with the address to book a call, or an empty one', async () => {
  const served = async (bookACallUrl: string | null) => {
    const state = {
      signedOut: true,
      sendsMail: false,
      takesPayments: false,
      debug: false,
      google: null,
      operator: null,
    };
    const app = buildPagesApp({ pageState: () => ({ ...state, bookACallUrl }) });
    return /<a href="(.*)">/.exec((await app.inject({ url: '/about', headers: html })).body)?.[1];
  };
  expect(await served('https://calls.example/?a=1&b="2"')).toBe('https://calls.example/?a=1&amp;b=&quot;2&quot;');
  expect(await served(null)).toBe('');
});

test('the page of the extension links the stores, or its own steps for a browser without one', async () => {
  const served = async (options: Partial<PageOptions>) => {
    const { body } = await buildPagesApp(options).inject({ url: '/extension', headers: html });
    const links = [...body.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href);
    const state = /"extension-links" content="([^"]*)"/.exec(body)?.[1]?.replaceAll('&quot;', '"');
    return { links, state: ExtensionLinks.parse(JSON.parse(state?.replaceAll('&amp;', '&') ?? '')) };
  };
  expect(await served({})).toEqual({
    links: ['#chrome', '#chrome', '#firefox'],
    state: { chrome: '#chrome', edge: '#chrome', firefox: '#firefox' },
  });
  const stores = { chrome: 'https://chrome.example/?a=1&b=2', edge: undefined, firefox: 'https://firefox.example/' };
  expect(await served({ extensionLinks: toExtensionLinks(stores) })).toEqual({
    links: ['https://chrome.example/?a=1&amp;b=2', '#chrome', 'https://firefox.example/'],
    state: { ...stores, edge: '#chrome' },
  });
});

test('the page of the extension contains the public address, or that of a loopback host', async () => {
  const address = async (publicOrigin: string | undefined, host: string) => {
    const { body } = await buildPagesApp({ publicOrigin }).inject({ url: '/extension', headers: { ...html, host } });
    return /<code>(.*)<\/code>/.exec(body)?.[1];
  };
  expect(await address(undefined, 'localhost:3000')).toBe('http://localhost:3000');
  expect(await address(undefined, 'intranet.example:3000')).toBe('the address of this site');
  expect(await address('https://links.example', 'intranet.example:3000')).toBe('https://links.example');
  expect(await address(undefined, 'x"><script>')).toBe('the address of this site');
});

test('the packed extension is served beside the page of the extension, and revalidated', async () => {
  const { statusCode, headers, body } = await buildPagesApp().inject(extensionFiles.chrome);
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/zip', 'no-cache']);
  expect(headers.etag).toBeTruthy();
  expect(body).toBe('packed');
  const page = await buildPagesApp().inject({ url: '/extension', headers: html });
  expect(page.body).toContain('<title>extension</title>');
  const missing = await buildPagesApp().inject({ url: extensionFiles.firefox, headers: html });
  expect(missing.statusCode).toBe(404);
});

test('an unknown path returns 404 with the not-found page, an unknown API call returns JSON', async () => {
  for (const headers of [html, { accept: '*/*' }, {}]) {
    const response = await buildPagesApp().inject({ url: '/no-such-page', headers });
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('<title>not-found</title>');
  }
  expect((await buildPagesApp().inject({ method: 'POST', url: '/no-such-page' })).json()).toMatchObject({
    code: 'not_found',
  });
  const call = await buildPagesApp().inject({ url: '/api/no-such-call', headers: html });
  expect(call.json()).toMatchObject({ code: 'not_found' });
});

test('a page with content that depends on the request replaces the prerendered page with its path', async () => {
  const load = async () => ({ status: 200, headers: {}, texts: { __ORIGIN__: '<&' }, html: { __PAGE_STATE__: '<b>' } });
  const app = buildPagesApp({ dynamicPages: [{ path: '/updates', file: 'updates.html', load }] });
  const { statusCode, body } = await app.inject({ url: '/updates', headers: html });
  expect(statusCode).toBe(200);
  expect(body).toContain('href="&lt;&amp;/x"');
  expect(body).toContain('content="<b>"');
});

test('debug pages exist only in debug mode', async () => {
  const status = async (debug: boolean) =>
    (await buildPagesApp({ debug }).inject({ url: '/debug-login', headers: html })).statusCode;
  expect([await status(false), await status(true)]).toEqual([404, 200]);
});

test('a page contains the nonce of its content security policy and the escaped page state', async () => {
  const { body, headers } = await buildPagesApp().inject({ url: '/', headers: html });
  const nonce = /style nonce="([^"]+)"/.exec(body)?.[1];
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
  expect(body).toContain(
    'content="{&quot;signedOut&quot;:true,&quot;bookACallUrl&quot;:&quot;https://calls.example/?a=1&amp;b=',
  );
  expect(headers.vary).toContain('cookie');
});

test('URLs in pages, the sitemap and robots.txt start with the public origin', async () => {
  const own = buildPagesApp();
  expect((await own.inject({ url: '/', headers: html })).body).toContain('href="http://links.example/x"');
  const behind = buildPagesApp({ publicOrigin: 'https://www.links.example' });
  const sitemap = await behind.inject({ url: '/sitemap.xml', headers: html });
  expect(sitemap.headers['content-type']).toContain('application/xml');
  const places = [...sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place);
  expect(places).toEqual(publicPages.map((path) => `https://www.links.example${path}`));
  const robots = await behind.inject({ url: '/robots.txt', headers: html });
  expect(robots.body).toContain('Sitemap: https://www.links.example/sitemap.xml');
  expect(robots.body.split('\n')).toEqual(expect.arrayContaining(['Allow: /api/docs', 'Disallow: /api/']));
});

test('the search description follows OpenSearch 1.1 and has complete URLs', async () => {
  const app = buildPagesApp({ publicOrigin: 'https://www.links.example' });
  const { headers, body } = await app.inject({ url: '/opensearch.xml', headers: html });
  expect(headers['content-type']).toContain('application/opensearchdescription+xml');
  expect(body).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<OpenSearchDescription xmlns="http:\/\/a9\.com\/-\/spec\/opensearch\/1\.1\/">/,
  );
  const read = (name: string) => new RegExp(`<${name}>([^<&]+)</${name}>`).exec(body)?.[1] ?? '';
  expect([read('ShortName'), read('InputEncoding')]).toEqual(['Linksieve', 'UTF-8']);
  expect(read('ShortName').length).toBeLessThanOrEqual(16);
  expect(read('Description').length).toBeLessThanOrEqual(1024);
  expect(read('Description')).toMatch(/^\w.*\.$/);
  const urls = [...body.matchAll(/<Url type="([^"]+)"(?: rel="self")? template="([^"]+)"\/>/g)].map(
    ([, ...url]) => url,
  );
  expect(urls).toEqual([
    ['text/html', 'https://www.links.example/domain?search={searchTerms}'],
    ['application/opensearchdescription+xml', 'https://www.links.example/opensearch.xml'],
  ]);
  const images = [
    ...body.matchAll(/<Image width="(\d+)" height="\1" type="([^"]+)">https:\/\/www\.links\.example(.+)<\//g),
  ];
  expect(images.map(([, size, type]) => [size, type])).toEqual([
    ['16', 'image/x-icon'],
    ['192', 'image/png'],
  ]);
  for (const [, , , path = ''] of images) expect(existsSync(join(publicFolder, path))).toBe(true);
});

test('X-Forwarded-Host and an invalid X-Forwarded-Proto do not change URLs, and responses are not cached', async () => {
  const headers = { ...html, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  for (const url of ['/', '/robots.txt', '/sitemap.xml', '/opensearch.xml']) {
    const response = await buildPagesApp({}, 1).inject({ url, headers });
    expect(response.body).toContain('https://links.example/');
    expect(response.body).not.toContain('evil.example');
    expect(response.headers['cache-control']).toBe('no-cache');
  }
  const odd = { ...html, 'x-forwarded-proto': '"><script>' };
  expect((await buildPagesApp({}, 1).inject({ url: '/', headers: odd })).body).toContain(
    'href="http://links.example/x"',
  );
});

test('an invalid Host header does not appear in a page', async () => {
  const { body } = await buildPagesApp().inject({
    url: '/',
    headers: { ...html, host: 'x"><script>alert(1)</script>' },
  });
  expect(body).not.toContain('<script>');
  expect(body).toContain('href="/x"');
});

test('without PUBLIC_URL, a forged Host header appears in no page, robots.txt, sitemap or search description', async () => {
  const app = buildPagesApp();
  const headers = { ...html, host: 'evil.example' };
  const [page, robots, sitemap, search, extension] = await Promise.all(
    ['/', '/robots.txt', '/sitemap.xml', '/opensearch.xml', '/extension'].map((url) => app.inject({ url, headers })),
  );
  expect(page?.body).toContain('href="/x"');
  expect(robots?.body).not.toContain('Sitemap');
  expect([sitemap?.statusCode, search?.statusCode]).toEqual([404, 404]);
  expect([page, robots, sitemap, search, extension].map((response) => response?.body).join()).not.toContain(
    'evil.example',
  );
});

test('without PUBLIC_URL, pages contain a loopback host, and the IP address that the client connected to', async () => {
  const app = buildPagesApp({ host: '0.0.0.0' });
  await app.listen({ host: '127.0.0.2', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const read = async (host: string) => {
    const sent = request({ host: '127.0.0.2', port, headers: { ...html, host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return /href="(.*)\/x"/.exec(await text(response))?.[1];
  };
  expect(await read(`127.0.0.2:${port}`)).toBe(`http://127.0.0.2:${port}`);
  expect(await read(`localhost:${port}`)).toBe(`http://localhost:${port}`);
  expect(await read('192.0.2.1')).toBe('');
  await app.close();
});

test('hashed files are immutable, and responses are compressed if the client accepts it', async () => {
  const app = buildPagesApp();
  const squeezed = await app.inject({ url: '/assets/a-1234.js', headers: { 'accept-encoding': 'br, gzip' } });
  expect(squeezed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(squeezed.headers['cache-control']).toContain('immutable');
  expect(squeezed.body).toBe('squeezed');
  expect((await app.inject({ url: '/assets/a-1234.js' })).body).toBe('plain');
  const packed = await app.inject({ url: '/', headers: { ...html, 'accept-encoding': 'br' } });
  expect(packed.headers['content-encoding']).toBe('br');
});
