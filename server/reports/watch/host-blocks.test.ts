import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parentNames } from '../../hostnames/coverage/coverage.ts';
import {
  bucketOf,
  createChangedNames,
  formatHost,
  hasDecision,
  hostOf,
  isListed,
  levelFor,
  levelOf,
  mergeBlock,
  mergeLines,
  parseHost,
  replaceLines,
  splitBlock,
  toBlock,
  type WatchedHost,
} from './host-blocks.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9_-]{0,8}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));
const positive = fc.integer({ min: 1, max: 2_147_483_647 });
const day = fc.integer({ min: 0, max: 99_999 });

/** A host, and the number of its first labels that the listed name does not have; undefined if it is not listed. */
const watchedHost = fc
  .record({
    host: name,
    backlinks: positive,
    reportId: positive,
    lastDay: day,
    firstReportId: positive,
    firstDay: day,
    place: fc.option(fc.nat(4), { nil: undefined }),
    level: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ place, level, ...host }): WatchedHost => {
    const parents = parentNames(host.host);
    const domain = place === undefined ? undefined : parents[place % parents.length];
    return { ...host, domain, riskLevel: domain === undefined ? undefined : level };
  });

test('a block has its hosts', () => {
  const hosts = fc.uniqueArray(watchedHost, { minLength: 1, selector: ({ host }) => host });
  fc.assert(
    fc.property(hosts, (all) => {
      const block = toBlock(1, all.map(formatHost));
      const lines = splitBlock(block.body);
      expect(lines.map(parseHost)).toEqual(all);
      expect(lines.map(hostOf)).toEqual(all.map(({ host }) => host));
      expect(lines.map(isListed)).toEqual(all.map(({ domain }) => domain !== undefined));
      expect(block).toMatchObject({ hostCount: all.length, oldestDay: Math.min(...all.map(({ lastDay }) => lastDay)) });
    }),
  );
});

test('a block has the decisions of its hosts, and no others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(watchedHost, { minLength: 1, selector: ({ host }) => host }), name, (hosts, other) => {
      const { body } = toBlock(1, hosts.map(formatHost));
      for (const one of [...hosts.flatMap(({ host }) => parentNames(host)), other]) {
        for (const level of [1, 2, 3, 4]) {
          const isDecided = hosts.some(({ domain, riskLevel }) => domain === one && riskLevel === level);
          expect(hasDecision(body, one, level)).toBe(isDecided);
        }
      }
    }),
  );
});

test('lines of a block are replaced, also if they are the end of another line', () => {
  const hosts = fc.uniqueArray(watchedHost, { minLength: 1, selector: ({ host }) => host });
  fc.assert(
    fc.property(hosts, fc.infiniteStream(fc.boolean()), (all, choices) => {
      const lines = all.flatMap((host) => [`sub.${formatHost(host)}`, formatHost(host)]);
      const changes = lines.filter(() => choices.next().value).map((line) => [line, `new-${line}`] as const);
      const replaced = new Map(changes);
      const { body } = toBlock(1, lines);
      expect(splitBlock(replaceLines(body, changes))).toEqual(lines.map((line) => replaced.get(line) ?? line));
    }),
  );
});

test('a host of a later export keeps its first export and its verdict', () => {
  fc.assert(
    fc.property(watchedHost, watchedHost, (known, later) => {
      const { firstReportId, firstDay, domain, riskLevel } = known;
      const { backlinks, reportId, lastDay } = later;
      expect(parseHost(mergeLines(formatHost(known), formatHost({ ...later, host: known.host })))).toEqual({
        ...{ host: known.host, backlinks, reportId, lastDay },
        ...{ firstReportId, firstDay, domain, riskLevel },
      });
    }),
  );
});

test('an export is merged with the block of its hosts', () => {
  const hosts = fc.uniqueArray(watchedHost, { selector: ({ host }) => host });
  fc.assert(
    fc.property(
      hosts,
      fc.uniqueArray(name),
      fc.infiniteStream(fc.tuple(fc.boolean(), fc.nat(3))),
      (stored, added, links) => {
        const known = new Map(stored.map((host) => [host.host, host]));
        const names = [...stored.map(({ host }) => host).filter(() => links.next().value[0]), ...added];
        const exported = [...new Set(names)].map((host) => {
          const [isListed, backlinks] = links.next().value;
          const verdict = isListed ? { domain: host, riskLevel: 3 } : { domain: undefined, riskLevel: undefined };
          return { host, registrableDomain: host, backlinks, ...verdict };
        });
        const body = stored.length > 0 ? toBlock(1, stored.map(formatHost)).body : undefined;
        const others: string[] = [];
        const options = { reportId: 7, day: 20_000, onOther: (host: string) => others.push(host) };
        const { body: merged, hostCount, oldestDay } = mergeBlock(1, body, exported, options);

        const later = new Map(exported.map((host) => [host.host, host]));
        const rest = stored.filter(({ host }) => !later.has(host)).map(({ host }) => host);
        const linked = exported.filter(({ backlinks }) => backlinks > 0);
        const expected = [...linked.map(({ host }) => host), ...rest].map((host) => {
          const [before, now] = [known.get(host), later.get(host)];
          if (!now) return before;
          const { backlinks, domain, riskLevel } = now;
          const first = before ?? { firstReportId: 7, firstDay: 20_000, domain, riskLevel };
          return { ...first, host, backlinks, reportId: 7, lastDay: 20_000 };
        });
        expect(merged === '' ? [] : splitBlock(merged).map(parseHost)).toEqual(expected);
        expect(others).toEqual(rest);
        expect(hostCount).toBe(expected.length);
        if (hostCount > 0)
          expect(oldestDay).toBe(
            Math.min(...expected.map((host) => host?.lastDay ?? 0), linked.length > 0 ? 20_000 : Infinity),
          );
      },
    ),
  );
});

test('the lines of changed names are those at or below them, and few others', () => {
  fc.assert(
    fc.property(fc.array(name), fc.array(watchedHost, { minLength: 1 }), (names, hosts) => {
      const changed = createChangedNames(names.length);
      for (const one of names) changed.add(one, parentNames(one));
      const { body } = toBlock(1, hosts.map(formatHost));
      const found = changed.findLines(body);
      const covered = hosts.filter(({ host }) => parentNames(host).some((parent) => names.includes(parent)));
      expect(found).toEqual(expect.arrayContaining(covered.map(formatHost)));
      expect(splitBlock(body).filter((line) => found.includes(line))).toEqual(found);
    }),
  );
  const changed = createChangedNames(10_000);
  for (let i = 0; i < 10_000; i += 1) changed.add(`changed-${i}.com`, [`changed-${i}.com`]);
  const lines = Array.from({ length: 10_000 }, (_, i) => `host-${i}.com 1 1 1 1 1`);
  expect(changed.findLines(lines.join(';')).length).toBeLessThan(10_000 / 32);
});

test('the buckets of changed names are those of their parents at every level', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (names) => {
      const changed = createChangedNames(names.length);
      for (const one of names) changed.add(one, parentNames(one));
      const levels = Array.from({ length: 17 }, (_, level) => level);
      const buckets = names.flatMap(parentNames).flatMap((parent) => levels.map((level) => bucketOf(parent, level)));
      expect(changed.listBuckets()).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    }),
  );
});

test.each([0, 1, 2, 9, 16])('buckets of level %i divide the names evenly', (level) => {
  const counts = new Map<number, number>();
  for (let i = 0; i < 100_000; i += 1) {
    const bucket = bucketOf(`name-${i}.com`, level);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  expect([...counts.keys()].every((bucket) => levelOf(bucket) === level)).toBe(true);
  const mean = 100_000 / 2 ** level;
  expect(Math.max(...counts.values())).toBeLessThan(mean + 6 * Math.sqrt(mean) + 6);
});

test('the bucket of a name never changes', () => {
  expect([0, 3, 12, 16].map((level) => bucketOf('example.com', level))).toEqual([1, 12, 6154, 98469]);
});

test.each([
  [0, 0],
  [50, 0],
  [64, 0],
  [65, 1],
  [1000, 4],
  [200_000, 12],
  [1_000_000_000, 16],
])('a website with %i hosts has level %i', (hosts, level) => {
  expect(levelFor(hosts)).toBe(level);
});
