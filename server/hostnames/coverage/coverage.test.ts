import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'tldts';
import { expect, test } from 'vitest';
import { normalizeHost } from '../hosts/hosts.ts';
import {
  canonicalName,
  findCoveringName,
  findCoveringNames,
  findParent,
  isRegistrySuffix,
  lookupNames,
  parentNames,
  registrableDomain,
} from './coverage.ts';
import { bloggerEndings, sharedHosts } from './shared-hosts.ts';

test.each([
  ['a.b.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['a.example.co.uk', 'example.co.uk'],
  ['name.blogspot.com', 'name.blogspot.com'],
  ['a.name.github.io', 'name.github.io'],
  ['a.name.wordpress.com', 'name.wordpress.com'],
  ['name.medium.com', 'name.medium.com'],
  ['shop.example', 'shop.example'],
  ['a.b.shop.test', 'shop.test'],
  ['a.b.shop.invalid', 'shop.invalid'],
  ['name.blogspot.de', 'name.blogspot.de'],
  ['a.name.blogspot.co.uk', 'name.blogspot.co.uk'],
  ['name.webnode.cz', 'name.webnode.cz'],
  ['webnode.cz', undefined],
  ['blogspot.co.uk', undefined],
  ['blogspotter.com', 'blogspotter.com'],
  ['sites.google.com', undefined],
  ['mail.google.com', 'google.com'],
  ['google.com', 'google.com'],
  ['files.wordpress.com', undefined],
  ['name.files.wordpress.com', 'name.files.wordpress.com'],
  ['a.name.files.wordpress.com', 'name.files.wordpress.com'],
  ['bp.blogspot.com', undefined],
  ['2.bp.blogspot.com', undefined],
  ['web.archive.org', undefined],
  ['blog.archive.org', 'archive.org'],
  ['x.fc2.com', 'x.fc2.com'],
  ['a.x.blog12.fc2.com', 'x.blog12.fc2.com'],
  ['x.web.fc2.com', 'x.web.fc2.com'],
  ['x.web2.fc2.com', 'x.web2.fc2.com'],
  ['blog12.fc2.com', undefined],
  ['x.blogger.fc2.com', 'blogger.fc2.com'],
  ['co.uk', undefined],
  ['github.io', undefined],
  ['wordpress.com', undefined],
  ['medium.com', undefined],
  ['example', undefined],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain);
});

test('lookup names go from the host up to its registrable domain and no further', () => {
  expect(lookupNames('a.b.example.co.uk')).toEqual(['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']);
  expect(lookupNames('a.name.tumblr.com')).toEqual(['a.name.tumblr.com', 'name.tumblr.com']);
  expect(lookupNames('name.github.io')).toEqual(['name.github.io']);
  expect(lookupNames('shop.example')).toEqual(['shop.example']);
  expect(lookupNames('tumblr.com')).toEqual([]);
  expect(lookupNames('co.uk')).toEqual([]);
});

test('the last lookup name is the registrable domain', () => {
  fc.assert(
    fc.property(fc.domain(), (text) => {
      const host = normalizeHost(text);
      if (host === undefined) return;
      const names = lookupNames(host);
      expect(names.at(-1)).toBe(registrableDomain(host));
      for (const name of names) expect(host.endsWith(name)).toBe(true);
    }),
  );
});

test.each([
  ['a.b.example.co.uk', ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk', 'co.uk']],
  ['example.com', ['example.com']],
  ['localhost', ['localhost']],
  ['192.0.2.1', ['192.0.2.1', '0.2.1', '2.1']],
])('the parent names of %s are all with two labels', (host, names) => {
  expect(parentNames(host)).toEqual(names);
  expect(findParent(host, (name) => name === names.at(-1))).toBe(names.at(-1));
  expect(findParent(host, () => false)).toBeUndefined();
});

test('names are covered by those of them that are no subdomain of another one', () => {
  const names = ['deep.sub.one.test', 'two.test', 'sub.one.test', 'two.test', 'a.blogspot.com', 'blogspot.com'];
  expect([...findCoveringNames(names)]).toEqual(['sub.one.test', 'two.test', 'blogspot.com']);
});

test.each([
  ['co.uk', true],
  ['gov.uk', true],
  ['foo.ck', true],
  ['example.co.uk', false],
  ['blogspot.com', false],
  ['github.io', false],
  ['sites.google.com', false],
])('whether %s is the suffix of a registry is %s', (host, expected) => {
  expect(isRegistrySuffix(host)).toBe(expected);
});

test.each([
  ['x.blogspot.de', 'x.blogspot.com'],
  ['a.x.blogspot.co.uk', 'a.x.blogspot.com'],
  ['x.blogspot.com.br', 'x.blogspot.com'],
  ['blogspot.fr', 'blogspot.com'],
  ['2.bp.blogspot.com', '2.bp.blogspot.com'],
  ['x.blogspot.xyz', 'x.blogspot.xyz'],
  ['x.blogspot.de.test', 'x.blogspot.de.test'],
  ['notblogspot.de', 'notblogspot.de'],
  ['x.blogspot.notblogspot.de', 'x.blogspot.notblogspot.de'],
  ['myblogspot.blogspot.de', 'myblogspot.blogspot.com'],
  ['blogspot.x.blogspot.de', 'blogspot.x.blogspot.com'],
  ['x.blogspot.com', 'x.blogspot.com'],
])('%s is compared as %s', (host, name) => {
  expect(canonicalName(host)).toBe(name);
  expect(normalizeHost(`https://www.${host}/2014/01/a.html`)).toBe(name);
});

test('every address of Blogger for a country is compared as one blog', () => {
  expect(bloggerEndings.size).toBeGreaterThan(70);
  for (const ending of bloggerEndings) expect(normalizeHost(`x.blogspot.${ending}`)).toBe('x.blogspot.com');
});

test('the page of shared hosts has each of them, with its source and the day on which it was added', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/shared-hosts.md'), 'utf8');
  const named = new Set(page.match(/[a-z0-9-]+(\.[a-z0-9-]+)+/g));
  expect([...sharedHosts].filter((host) => !named.has(host))).toEqual([]);
  const rows = page.match(/^\| (?!service ).*$/gm) ?? [];
  expect(rows.filter((row) => !/^\| [^|]+ \| [^|]+ \| \d{4}-\d{2}-\d{2} \|$/.test(row))).toEqual([]);
});

test.each([
  ...[
    'twoday.net',
    'multiply.com',
    'clan.su',
    'ucoz.ua',
    'livedoor.blog',
    'persianblog.ir',
    'egloos.com',
    'tiiny.site',
  ],
  ...['blog.me', 'blog.lemonde.fr', 'sites.uol.com.br', 'softr.app', 'comoj.com'],
])('the subdomains of %s are websites of different owners', (host) => {
  expect(registrableDomain(`a.spam1.${host}`)).toBe(`spam1.${host}`);
  expect(registrableDomain(host)).toBeUndefined();
});

test('the subdomains of each shared host are websites, without a rule in the Public Suffix List', () => {
  for (const host of sharedHosts) {
    expect(parse(`a.${host}`, { allowPrivateDomains: true }).publicSuffix).not.toBe(host);
    expect(normalizeHost(host)).toBe(host);
    expect([registrableDomain(host), registrableDomain(`a.spam1.${host}`)]).toEqual([undefined, `spam1.${host}`]);
  }
});

test('the listing with the highest risk decides about a host, and the nearest of several equal ones', () => {
  const listed = new Map([
    ['blog.strong.test', 1],
    ['strong.test', 4],
    ['a.b.equal.test', 2],
    ['b.equal.test', 2],
    ['weak.test', 1],
    ['deep.weak.test', 3],
    ['google.com', 4],
    ['wordpress.com', 4],
  ]);
  expect(findCoveringName('x.blog.strong.test', listed)).toBe('strong.test');
  expect(findCoveringName('blog.strong.test', listed)).toBe('strong.test');
  expect(findCoveringName('x.a.b.equal.test', listed)).toBe('a.b.equal.test');
  expect(findCoveringName('deep.weak.test', listed)).toBe('deep.weak.test');
  expect(findCoveringName('other.weak.test', listed)).toBe('weak.test');
  expect(findCoveringName('none.test', listed)).toBeUndefined();
  expect(findCoveringName('sites.google.com', listed)).toBeUndefined();
  expect(findCoveringName('name.wordpress.com', listed)).toBeUndefined();
});

test('an allow rule protects a host and its subdomains from the listings of its parents, but not from their own', () => {
  const listed = new Map([
    ['parent.test', 4],
    ['shop.parent.test', 0],
    ['bad.shop.parent.test', 1],
    ['alone.test', 0],
  ]);
  expect(findCoveringName('parent.test', listed)).toBe('parent.test');
  expect(findCoveringName('blog.parent.test', listed)).toBe('parent.test');
  expect(findCoveringName('shop.parent.test', listed)).toBeUndefined();
  expect(findCoveringName('good.shop.parent.test', listed)).toBeUndefined();
  expect(findCoveringName('x.bad.shop.parent.test', listed)).toBe('bad.shop.parent.test');
  expect(findCoveringName('alone.test', listed)).toBeUndefined();
});
