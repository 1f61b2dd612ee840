import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { type DisavowDecisions, mergeFile } from './merge.ts';
import { parseLines } from './parse.ts';

const day = '2026-11-25';

/** A line of a disavow file and what it means: nothing for a comment or an invalid line. */
interface Line {
  text: string;
  domain?: string;
  url?: { host: string; href: string };
}

const label = fc.constantFrom('a', 'b', 'c');
const name = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'test'].join('.')),
  fc.constantFrom('blogspot.com', 'a.blogspot.com', 'xn--mller-kva.example', 'sub.xn--mller-kva.example'),
);

const domainLine = fc
  .tuple(
    name,
    fc.constantFrom('domain:', 'DOMAIN:', 'domain: ', ' Domain :\t'),
    fc.constantFrom('', 'www.', 'WWW.'),
    fc.constantFrom('', '.', '  ', '\t'),
    fc.boolean(),
  )
  .map(([domain, prefix, www, end, isUpper]): Line => {
    const written = isUpper ? domain.replace('xn--mller-kva', 'müller').toUpperCase() : domain;
    return { text: `${prefix}${www}${written}${end}`, domain };
  });
const urlLine = fc
  .tuple(name, fc.constantFrom('', 'www.'), fc.constantFrom('/', '/page', '/page?a=1', '/ü', '/page#top'), fc.boolean())
  .map(([host, www, path, isUpper]): Line => {
    const scheme = isUpper ? 'HTTP://' : 'http://';
    return {
      text: `${scheme}${www}${isUpper ? host.toUpperCase() : host}${path}`,
      url: { host, href: `http://${www}${host}${encodeURI(path.replace('#top', ''))}` },
    };
  });
const otherLine = fc
  .oneof(
    fc.constantFrom('', '  ', '# Geprüft', '  #domain:a.test', 'a.test', '*.a.test', 'domain:', 'domain:co.uk'),
    fc.constantFrom('domain:a.test # why', 'http://', 'domain:192.0.2.1', '# Added by Linksieve on 2026-11-25'),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `?${text.replace(/[\r\n\0]/g, '')}`),
  )
  .map((text): Line => ({ text }));
const lines = fc.array(fc.oneof(domainLine, urlLine, otherLine), { maxLength: 25 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const file = fc
  .tuple(lines, fc.array(lineEnd, { minLength: 26, maxLength: 26 }), fc.boolean())
  .map(([content, ends, hasLastEnd]) => {
    // A line feed after a carriage return would end the same line.
    const text = content.map((line, at) => `${line.text}${line.text === '' ? '\r\n' : ends[at]}`).join('');
    return { content, text: hasLastEnd || content.at(-1)?.text === '' ? text : text.replace(/(\r\n|\r|\n)$/, '') };
  });
/** The two lists have no name in common, because a domain has one decision. */
const decisions = fc.tuple(fc.uniqueArray(name, { maxLength: 4 }), fc.uniqueArray(name, { maxLength: 10 })).map(
  ([keep, disavow]): DisavowDecisions => ({
    keep,
    disavow: disavow.filter((one) => !keep.includes(one)),
    website: 'own.example',
  }),
);

const noDecisions: DisavowDecisions = { keep: [], disavow: [], website: 'own.example' };

const isCovered = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);
const isCoveredByAny = (host: string, domains: readonly string[]) => domains.some((one) => isCovered(host, one));

const merge = (text: string, decided: DisavowDecisions, limits?: { lines: number; bytes: number }, on = day) =>
  mergeFile(parseLines(text), decided, on, limits);

/** Reads a merged file with the strictest rules. */
function readStrictly(text: string) {
  expect(text).toMatch(/^([^\r\n]*\n)*$/);
  const entries = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of entries) expect(line).toMatch(/^(domain:[a-z0-9.-]+|http:\/\/[!-~]+)$/);
  return {
    domains: entries.flatMap((line) => /^domain:(.*)/.exec(line)?.[1] ?? []),
    urls: entries.filter((line) => line.startsWith('http')),
  };
}

test('a host is covered if a valid line or a decision covers it, and never if it is kept', () => {
  fc.assert(
    fc.property(file, decisions, fc.array(name), ({ content, text }, decided, others) => {
      const { domains, urls } = readStrictly(merge(text, decided).text);
      const isTakenBack = (domain: string) => decided.keep.some((kept) => isCovered(kept, domain));
      const wanted = [...content.flatMap(({ domain }) => domain ?? []), ...decided.disavow];
      const expected = wanted.filter((domain) => !isTakenBack(domain));
      const hosts = [...others, ...wanted, ...decided.keep].flatMap((host) => [host, `deep.${host}`]);
      for (const host of hosts)
        expect([host, isCoveredByAny(host, domains)]).toEqual([host, isCoveredByAny(host, expected)]);
      for (const kept of decided.keep) expect([kept, isCoveredByAny(kept, domains)]).toEqual([kept, false]);
      for (const { url } of content) {
        if (!url) continue;
        const isKept = isCoveredByAny(url.host, decided.keep);
        const isIn = urls.includes(url.href) || isCoveredByAny(url.host, domains);
        expect([url.href, isIn]).toEqual([url.href, !isKept || isCoveredByAny(url.host, expected)]);
        if (isKept) expect(urls).not.toContain(url.href);
      }
    }),
    { numRuns: numRuns(2000) },
  );
});

test('merging the merged file again adds nothing and changes nothing, also on another day', () => {
  fc.assert(
    fc.property(file, decisions, fc.constantFrom(day, '2027-01-01'), ({ text }, decided, later) => {
      const merged = merge(text, decided);
      const again = merge(merged.text, decided, undefined, later);
      expect(again.text).toBe(merged.text);
      expect([again.added, again.leftOut]).toEqual([[], 0]);
      expect(again.lines.every(({ state }) => state === 'comment' || state === 'valid')).toBe(true);
    }),
    { numRuns: numRuns(2000) },
  );
});

test('the merged file stays within limits that its existing lines keep, and merging it again changes nothing', () => {
  const limits = fc.record({ lines: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 20, max: 300 }) });
  fc.assert(
    fc.property(file, decisions, limits, fc.constantFrom(day, '2027-01-01'), ({ text }, decided, max, later) => {
      const existing = merge(text, { ...decided, disavow: [] });
      const merged = merge(text, decided, max);
      expect(Buffer.byteLength(merged.text)).toBe(merged.bytes);
      expect(merged.text.split('\n').length - 1).toBe(merged.lineCount);
      expect(merged.lineCount <= Math.max(max.lines, existing.lineCount)).toBe(true);
      expect(merged.bytes <= Math.max(max.bytes, existing.bytes)).toBe(true);
      expect(merged.added.length + merged.leftOut).toBe(merge(text, decided).added.length);
      const again = merge(merged.text, decided, max, later);
      expect([again.text, again.added, again.leftOut]).toEqual([merged.text, [], merged.leftOut]);
    }),
    { numRuns: numRuns(2000) },
  );
});

test('every line has one state, and a comment or an invalid line never becomes an entry', () => {
  fc.assert(
    fc.property(file, decisions, ({ content, text }, decided) => {
      const merged = merge(text, decided);
      expect(merged.lines).toHaveLength(content.length);
      for (const [at, { state }] of merged.lines.entries()) {
        const { domain, url } = content[at] ?? {};
        const isEntry = domain !== undefined || url !== undefined;
        expect([content[at], ['valid', 'redundant', 'takenBack'].includes(state)]).toEqual([content[at], isEntry]);
      }
    }),
  );
});

test('any text is read without an error, and its merged file is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), decisions, (text, decided) => {
      const merged = merge(text, decided).text;
      expect(merge(merged, decided).text).toBe(merged);
      for (const prefix of ['domain:', 'http://a.test/', 'https://']) {
        const once = merge(`${prefix}${text}`, noDecisions).text;
        expect(merge(once, noDecisions).text).toBe(once);
      }
    }),
    { numRuns: numRuns(3000) },
  );
});
