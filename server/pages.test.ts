import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { extensionFiles, toExtensionLinks } from '#shared/checks/extension-links.ts';
import { publicPages } from '#shared/pages.ts';
import type { BuiltFiles } from '#shared/rendered-page.ts';
import { type PageOptions, servePages } from './pages.ts';
import { createFastify } from './platform/http/fastify.ts';
import type { Proxies } from './platform/net/proxies.ts';

const folder = await mkdtemp(join(tmpdir(), 'linksieve-pages-'));
const publicFolder = join(import.meta.dirname, '../web/public');
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'assets/a-1234.js'), 'plain');
await writeFile(join(folder, 'assets/a-1234.js.br'), 'squeezed');
await mkdir(join(folder, 'extension'));
await writeFile(join(folder, extensionFiles.chrome), 'packed');
await mkdir(join(folder, 'render'));
await writeFile(
  join(folder, 'render/files.json'),
  JSON.stringify({
    template:
      '<meta name="style-nonce" content="__STYLE_NONCE__"><!--head--><script nonce="__SCRIPT_NONCE__"></script><!--styles--></head><!--body--></html>',
    styles: [
      { file: 'assets/first.css', css: '.first{}', classes: ['base', 'used'] },
      { file: 'assets/other.css', css: '.other{}', classes: ['other'] },
      { file: 'assets/last.css', css: '.last{}', classes: ['used'] },
    ],
    entry: 'assets/app.js',
    imports: { 'assets/app.js': ['assets/kit.js'], 'assets/known.js': ['assets/kit.js'] },
    components: { Known: 'assets/known.js' },
  } satisfies BuiltFiles),
);
/** A renderer that writes what it got. The tests of the browser use the real one. */
await writeFile(
  join(folder, 'render/page.js'),
  `export const pages = [
    { path: '/', title: 'Start', description: 'What it does.' },
    { path: '/about', title: 'About', description: 'Who runs it.' },
  ];
  export async function renderPage({ url, state, hasSession, timeZone, width, contentWidth, fetch }) {
    const path = url.split('?')[0];
    const found = path === '/domains' ? await fetch('/found?a=1') : undefined;
    return {
      status: path.includes('no-such') ? 404 : 200,
      redirect: path === '/alerts' && !hasSession ? '/auth?next=%2Falerts' : undefined,
      isVisitor: !hasSession,
      head: '<title>' + path + '</title><link href="' + state.origin + '/x">',
      body: '<p class="used more">' + [timeZone, width, contentWidth, found && (await found.text())].join() + '</p>' + ' '.repeat(2000),
      data: JSON.stringify(state).replaceAll('<', '\\\\u003c'),
      components: ['Known', 'Inlined'],
    };
  }`,
);
afterAll(() => rm(folder, { recursive: true }));

function buildPagesApp(
  options: Partial<PageOptions> = {},
  trustProxy: Proxies = 0,
  log: pino.Logger = pino({ level: 'silent' }),
) {
  const app = createFastify({
    log,
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
    securityContact: undefined,
    now: () => new Date('2026-11-30T12:00:00Z'),
    hasSession: ({ headers }) => headers.cookie?.includes('sid=') ?? false,
    pageState: {
      bookACallUrl: 'https://calls.example/</script>',
      operator: null,
      sendsMail: false,
      takesPayments: false,
      debug: false,
      localSignIn: true,
      signInProviders: [],
      google: null,
      indexesDomains: true,
    },
    extensionLinks: toExtensionLinks({ chrome: undefined, edge: undefined, firefox: undefined }),
    ...options,
  });
  return app;
}

const html = { accept: 'text/html', host: 'links.example' };

const signedIn = { ...html, cookie: 'sid=1' };

test('the app waits in a template, which loads when a visitor uses a document, and otherwise at once', async () => {
  const app = buildPagesApp();
  const inspect = async (url: string, headers: Record<string, string> = html) => {
    const { body } = await app.inject({ url, headers });
    const [, attributes, template = ''] = /<template id="app"([^>]*)>(.*?)<\/template>/s.exec(body) ?? [];
    const files = [...template.matchAll(/(?:src|modulepreload" href)="\/([^"]+)"/g)].map(([, file]) => file);
    expect(files, url).toEqual(['assets/app.js', 'assets/kit.js', 'assets/known.js', 'assets/app.js']);
    expect(body.replace(template, ''), url).not.toContain('assets/app.js');
    return attributes;
  };
  for (const url of ['/', '/features', '/contact', '/api/docs']) expect(await inspect(url), url).toBe(' data-document');
  expect(await inspect('/features', signedIn)).toBe('');
  for (const url of ['/check', '/auth']) expect(await inspect(url), url).toBe('');
});

test('a document lets browsers fetch the public pages that it links to', async () => {
  const app = buildPagesApp();
  const read = async (url: string) => {
    const { body } = await app.inject({ url, headers: html });
    return /<script type="speculationrules" nonce="[^"]+">(.*?)<\/script>/.exec(body)?.[1] ?? 'null';
  };
  const [{ where, eagerness }] = JSON.parse(await read('/')).prefetch;
  expect(where.href_matches).toContain('/features');
  expect(eagerness).toBe('moderate');
  expect(await read('/check')).toBe('null');
});

test('a page has the style sheets of its classes, in their order, and a disabled link to each', async () => {
  const { body } = await buildPagesApp().inject({ url: '/', headers: html });
  expect(/<style nonce="[^"]+">(.*?)<\/style>/.exec(body)?.[1]).toBe('.first{}.last{}');
  const links = [...body.matchAll(/stylesheet" href="([^"]+)" disabled/g)].map(([, file]) => file);
  expect(links).toEqual(['/assets/first.css', '/assets/last.css']);
});

test('a page is rendered with the responses that the visitor of the page would get', async () => {
  const app = buildPagesApp();
  app.get('/found', { config: { access: 'public' } }, ({ query, headers, ip }) => ({
    query,
    cookie: headers.cookie,
    ip,
    site: headers['sec-fetch-site'],
  }));
  const { body } = await app.inject({ url: '/domains', headers: signedIn, remoteAddress: '192.0.2.9' });
  expect(body).toContain(JSON.stringify({ query: { a: '1' }, cookie: 'sid=1', ip: '192.0.2.9', site: 'same-origin' }));
});

test('a call of a page that has no response is logged with its cause', async () => {
  const lines: string[] = [];
  const app = buildPagesApp({}, 0, pino({ level: 'error' }, { write: (line) => void lines.push(line) }));
  app.get('/found', { config: { access: 'public' } }, (_, reply) => {
    reply.hijack();
    reply.raw.destroy(new Error('broken'));
  });
  await app.inject({ url: '/domains', headers: signedIn });
  const logged = lines.map((line) => JSON.parse(line)).find(({ call }) => call === '/found?a=1');
  expect(logged).toMatchObject({ msg: 'a call of a page had no response', err: { message: 'broken' } });
});

test('a page knows the time zone and the width of the browser from a cookie, and otherwise guesses', async () => {
  const app = buildPagesApp();
  const facts = async (headers: Record<string, string>) =>
    /<p class="used more">(.*?)<\/p>/.exec(
      (await app.inject({ url: '/', headers: { ...html, ...headers } })).body,
    )?.[1];
  expect(await facts({ cookie: 'display=Asia/Kolkata,1440,1425' })).toBe('Asia/Calcutta,1440,1425,');
  expect(await facts({ cookie: 'display=aMeRiCa/New_yOrK,390' })).toBe('America/New_York,390,390,');
  expect(await facts({ cookie: 'display=+01:23,390' })).toBe('UTC,390,390,');
  expect(await facts({ cookie: 'display=%3Cb%3E/x,9e9,-5' })).toBe('UTC,1440,1440,');
  expect(await facts({ 'sec-ch-ua-mobile': '?1' })).toBe('UTC,390,390,');
});

test('a page that needs an account redirects a visitor, and pages of users are not for shared caches', async () => {
  const app = buildPagesApp();
  const visitor = await app.inject({ url: '/alerts', headers: html });
  expect([visitor.statusCode, visitor.headers.location]).toEqual([302, '/auth?next=%2Falerts']);
  const user = await app.inject({ url: '/alerts', headers: signedIn });
  expect([user.statusCode, user.headers['cache-control'], user.headers['x-robots-tag']]).toEqual([
    200,
    'private, no-store',
    'noindex',
  ]);
  const { headers } = await app.inject({ url: '/features', headers: html });
  expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-cache', undefined]);
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

test('the packed extension is served beside the page of the extension, and revalidated', async () => {
  const { statusCode, headers, body } = await buildPagesApp().inject(extensionFiles.chrome);
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/zip', 'no-cache']);
  expect(headers.etag).toBeTruthy();
  expect(body).toBe('packed');
  const page = await buildPagesApp().inject({ url: '/extension', headers: html });
  expect(page.body).toContain('<title>/extension</title>');
  const missing = await buildPagesApp().inject({ url: extensionFiles.firefox, headers: html });
  expect(missing.statusCode).toBe(404);
});

test('an unknown path returns 404 with the not-found page, an unknown API call returns JSON', async () => {
  for (const headers of [html, { accept: '*/*' }, {}]) {
    const response = await buildPagesApp().inject({ url: '/no-such-page', headers });
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('<title>/no-such-page</title>');
  }
  expect((await buildPagesApp().inject({ method: 'POST', url: '/no-such-page' })).json()).toMatchObject({
    code: 'not_found',
  });
  const call = await buildPagesApp().inject({ url: '/api/no-such-call', headers: html });
  expect(call.json()).toMatchObject({ code: 'not_found' });
});

test('a rule decides about the redirect, the status and the headers of a page', async () => {
  const decide = async ({ query }: FastifyRequest) =>
    Object.hasOwn(query as object, 'old')
      ? { redirect: '/updates', permanent: true }
      : { status: 429, headers: { 'retry-after': '60' } };
  const app = buildPagesApp({ rules: [{ path: '/updates', decide }] });
  const { statusCode, headers, body } = await app.inject({ url: '/updates', headers: html });
  expect([statusCode, headers['retry-after'], headers['x-robots-tag']]).toEqual([429, '60', 'noindex']);
  expect(body).toContain('<title>/updates</title>');
  const old = await app.inject({ url: '/updates?old=1', headers: html });
  expect([old.statusCode, old.headers.location]).toEqual([301, '/updates']);
  const slash = await app.inject({ url: '/updates/', headers: html });
  expect([slash.statusCode, slash.headers.location]).toEqual([301, '/updates']);
});

test('debug pages exist only in debug mode', async () => {
  const status = async (debug: boolean) =>
    (await buildPagesApp({ debug }).inject({ url: '/debug-login', headers: html })).statusCode;
  expect([await status(false), await status(true)]).toEqual([404, 200]);
});

test('a page contains the nonce of its content security policy, and its data cannot end their element', async () => {
  const { body, headers } = await buildPagesApp().inject({ url: '/contact', headers: html });
  const nonce = /style-nonce" content="([^"]+)"/.exec(body)?.[1];
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(body)?.[1] ?? '';
  expect(JSON.parse(data).bookACallUrl).toBe('https://calls.example/</script>');
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

test('llms.txt lists the public pages and what programs can use, with complete URLs', async () => {
  const app = buildPagesApp({ publicOrigin: 'https://www.links.example' });
  const { headers, body } = await app.inject({ url: '/llms.txt', headers: html });
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const start =
    '# Linksieve\n\n> What it does.\n\n## Pages\n\n- [About](https://www.links.example/about): Who runs it.\n\n## ';
  expect(body.slice(0, start.length)).toBe(start);
  expect(body).toContain('(https://www.links.example/api/openapi.json)');
});

test('security.txt names the contact page or the set contact, and expires within a year', async () => {
  const publicOrigin = 'https://www.links.example';
  const read = (options: Partial<PageOptions>) =>
    buildPagesApp({ publicOrigin, ...options }).inject({ url: '/.well-known/security.txt', headers: html });
  const { headers, body } = await read({});
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body.split('\n')).toEqual([
    'Contact: https://www.links.example/contact',
    'Expires: 2027-05-29T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://www.links.example/.well-known/security.txt',
    '',
  ]);
  const set = await read({ securityContact: 'mailto:security@links.example' });
  expect(set.body).toMatch(/^Contact: mailto:security@links\.example\n/);
});

test('password managers are sent to the security settings', async () => {
  const { statusCode, headers } = await buildPagesApp().inject({ url: '/.well-known/change-password', headers: html });
  expect([statusCode, headers.location]).toEqual([302, '/account?tab=profile']);
});

test('X-Forwarded-Host and an invalid X-Forwarded-Proto do not change URLs, and responses are not cached', async () => {
  const headers = { ...html, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  for (const url of ['/', '/robots.txt', '/sitemap.xml', '/opensearch.xml', '/llms.txt', '/.well-known/security.txt']) {
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

test('without PUBLIC_URL, a forged Host header appears in no page or text for programs', async () => {
  const app = buildPagesApp();
  const headers = { ...html, host: 'evil.example' };
  const [page, robots, extension, ...texts] = await Promise.all(
    ['/', '/robots.txt', '/extension', '/sitemap.xml', '/opensearch.xml', '/llms.txt', '/.well-known/security.txt'].map(
      (url) => app.inject({ url, headers }),
    ),
  );
  expect(page?.body).toContain('href="/x"');
  expect(robots?.body).not.toContain('Sitemap');
  expect(texts.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  expect([page, robots, extension, ...texts].map((response) => response?.body).join()).not.toContain('evil.example');
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
