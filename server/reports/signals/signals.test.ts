import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Signal, toSignalBit } from '#shared/reports/signals.ts';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { countHosts } from '../backlink-files/backlink-files.ts';
import { createSignals } from './signals.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signals-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Finds the signals of files.
 * @returns each signal with its number of domains, and the names of the hosts that show it
 */
async function find(...contents: string[]) {
  const files = await Promise.all(
    contents.map(async (content, i) => {
      const path = join(folder, `${i}.csv`);
      await writeFile(path, content);
      return { path, name: `${i}.csv` };
    }),
  );
  const signals = createSignals('garden-tools.example');
  const { hosts } = await countHosts(files, {
    ownHost: 'garden-tools.example',
    folder,
    signals,
  });
  const numbers = new Map<string, number>();
  const byHost = hosts.map((host) => {
    const domain = registrableDomain(host) ?? host;
    if (!numbers.has(domain)) numbers.set(domain, numbers.size);
    return numbers.get(domain) ?? 0;
  });
  const found = signals.finish({ byHost, names: [...numbers.keys()] });
  const get = (signal: Signal) => {
    const result = found.signals.find((one) => one.signal === signal);
    if (result === undefined) throw new Error(signal);
    return result;
  };
  const hostsWith = (signal: Signal) =>
    hosts.filter((_, host) => ((found.byHost[host] ?? 0) & toSignalBit(signal)) !== 0);
  return { get, hostsWith, available: found.signals.flatMap((one) => (one.available ? one.signal : [])) };
}

const csv = (header: string, rows: readonly (readonly (string | number)[])[]) =>
  `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const page = (i: number) => `https://site${i}.test/p`;

describe('repeated anchors', () => {
  const findAnchors = async (anchors: readonly string[]) =>
    (
      await find(
        csv(
          'Source url,Target url,Anchor',
          anchors.map((anchor, i) => [page(i), 'https://garden-tools.example/', anchor]),
        ),
      )
    ).get('repeatedAnchors');

  test('five domains with the same words are a pattern, four are not', async () => {
    expect(
      await findAnchors(times(5, (i) => (i % 2 ? 'Cheap  Mowers'.replace('  ', ' ') : ' cheap mowers '))),
    ).toMatchObject({
      available: true,
      domains: 5,
      examples: [{ kind: 'anchor', count: 5, domains: ['site0.test', 'site1.test', 'site2.test'] }],
    });
    expect(await findAnchors(times(4, () => 'cheap mowers'))).toMatchObject({
      available: true,
      domains: 0,
      examples: [],
    });
  });

  test('the words must be on two percent of the domains with an anchor', async () => {
    const others = (count: number) => times(count, (i) => `other words ${i}`);
    expect((await findAnchors([...times(5, () => 'cheap mowers'), ...others(245)])).domains).toBe(5);
    expect((await findAnchors([...times(5, () => 'cheap mowers'), ...others(246)])).domains).toBe(0);
  });

  test('general words, addresses and the name of the website say nothing', async () => {
    for (const anchor of [
      'Click here',
      'Read more »',
      'www.shop.com',
      'https://garden-tools.example/a',
      'Garden Tools',
      '2024',
      '官网',
    ]) {
      expect([anchor, (await findAnchors(times(9, () => anchor))).domains]).toEqual([anchor, 0]);
    }
  });

  test('hosts of one domain count once, and each host that uses the words shows the pattern', async () => {
    const hosts = ['a.seller.test', 'b.seller.test', 'x1.test', 'x2.test', 'x3.test'];
    const rows = (names: string[]) =>
      csv(
        'URL,Anchor',
        names.map((host) => [`https://${host}/`, 'cheap mowers']),
      );
    expect((await find(rows(hosts))).get('repeatedAnchors').domains).toBe(0);
    const { get, hostsWith } = await find(rows([...hosts, 'x4.test']));
    expect(get('repeatedAnchors').domains).toBe(5);
    expect(hostsWith('repeatedAnchors')).toEqual([...hosts, 'x4.test']);
  });
});

describe('bursts of new links', () => {
  const day = (week: number) => new Date(Date.UTC(2024, 0, 1 + week * 7)).toISOString().slice(0, 10);
  const usual = times(40, (i) => [page(i), day(i >> 1)]);
  const findBurst = async (count: number, rows = usual) =>
    (
      await find(csv('Source url,First seen', [...rows, ...times(count, (i) => [`https://new${i}.test/`, day(12)])]))
    ).get('linkBursts');

  test('a week with five times the usual number of new domains, and at least ten, is a burst', async () => {
    expect(await findBurst(8)).toMatchObject({
      available: true,
      domains: 10,
      examples: [{ kind: 'week', text: '2024-03-25', count: 10, usual: 2 }],
    });
    expect((await findBurst(7)).domains).toBe(0);
  });

  test('the first week and exports of a few weeks have no burst', async () => {
    const first = times(50, (i) => [`https://old${i}.test/`, day(0)]);
    expect((await findBurst(0, [...first, ...usual])).domains).toBe(0);
    expect((await findBurst(30, [[page(1), day(8)]])).domains).toBe(0);
  });

  test('a domain is new on its first day in the export', async () => {
    const again = times(30, (i) => [page(i % 20), day(19)]);
    expect((await findBurst(0, [...usual, ...again])).domains).toBe(0);
  });
});

describe('sitewide links', () => {
  test('50 links with the same anchor are sitewide, 49 are not, nor are 60 with different anchors', async () => {
    const rows = (host: string, count: number, anchor: (i: number) => string) =>
      times(count, (i) => [`https://${host}/${i}`, anchor(i)]);
    const { get, hostsWith } = await find(
      csv('URL,Anchor', [
        ...rows('footer.test', 50, () => 'Mowers'),
        ...rows('few.test', 49, () => 'Mowers'),
        ...rows('blog.test', 60, (i) => `post ${i}`),
      ]),
    );
    expect(hostsWith('sitewideLinks')).toEqual(['footer.test']);
    expect(get('sitewideLinks').examples).toEqual([
      { kind: 'links', text: 'Mowers', count: 50, domains: ['footer.test'] },
    ]);
  });

  test('the columns of Semrush and Ahrefs count too', async () => {
    const semrush = csv('Source url,Target url,Sitewide', [
      ['https://a.test/', 'https://garden-tools.example/', 'true'],
      ['https://b.test/', 'https://garden-tools.example/', 'false'],
    ]);
    const ahrefs = csv('Referring page URL,Links in group', [
      ['https://c.test/', 50],
      ['https://d.test/', 49],
    ]);
    expect((await find(semrush, ahrefs)).hostsWith('sitewideLinks')).toEqual(['a.test', 'c.test']);
  });
});

test('a page with more than 100 linked domains and fewer than 10 visits is a link farm page', async () => {
  const { get, hostsWith } = await find(
    csv('Referring page URL,Linked domains,External links,Page traffic', [
      ['https://a.test/x', 101, 5, 9],
      ['https://b.test/', 100, 900, 0],
      ['https://c.test/', 500, 0, 10],
      ['https://d.test/', '"1,500"', 0, '0.4'],
      ['https://e.test/', 500, 0, ''],
    ]),
  );
  expect(hostsWith('linkFarmPages')).toEqual(['a.test', 'd.test']);
  expect(get('linkFarmPages').examples[1]).toMatchObject({ text: 'https://a.test/x', count: 101 });
});

test('three domains with the same title or author are a pattern, unless it says nothing', async () => {
  const header = 'Referring page title,Referring page URL,Author';
  const shared = (title: string, author: string, count: number) =>
    find(
      csv(
        header,
        times(count, (i) => [title, page(i), author]),
      ),
    );
  const { get } = await shared('"Ten ""secrets"", revealed"', 'Jane Miller', 3);
  expect(get('sharedTitles')).toMatchObject({
    domains: 3,
    examples: [
      { kind: 'title', text: 'Ten "secrets", revealed', count: 3 },
      { kind: 'author', text: 'Jane Miller', count: 3 },
    ],
  });
  expect((await shared('Ten secrets revealed', '', 2)).get('sharedTitles').domains).toBe(0);
  for (const [title, author] of [
    ['404 Not Found', 'admin'],
    ['Just a moment...', 'Editorial Team'],
    ['Mowers', 'John'],
  ] as const) {
    expect([title, (await shared(title, author, 9)).get('sharedTitles').domains]).toEqual([title, 0]);
  }
});

test('three domains at an address or five in its network are a pattern, unless they are at a delivery network', async () => {
  const shared = async (...addresses: string[]) => {
    const result = (
      await find(
        csv(
          'Domain,IP address',
          addresses.map((ip, i) => [`site${i}.test`, ip]),
        ),
      )
    ).get('sharedNetworks');
    return [result.domains, ...result.examples.map(({ kind, text }) => `${kind} ${text}`)];
  };
  expect(await shared('203.0.113.5', '203.0.113.5', '203.0.113.5')).toEqual([3, 'address 203.0.113.5']);
  expect(await shared('203.0.113.5', '203.0.113.5', '203.0.113.6', '203.0.113.7')).toEqual([0]);
  expect(await shared(...times(5, (i) => `203.0.113.${i}`))).toEqual([5, 'network 203.0.113.0/24']);
  expect(await shared(...times(9, () => '104.16.3.4'))).toEqual([0]);
  expect(await shared(...times(9, () => 'unknown'))).toEqual([0]);
});

test('an export without the columns has no signals', async () => {
  const { available, get } = await find(
    csv(
      'Linking page,Last crawled',
      times(30, (i) => [page(i), '2025-01-02']),
    ),
  );
  expect(available).toEqual([]);
  expect(get('sharedTitles')).toEqual({ signal: 'sharedTitles', available: false, domains: 0, examples: [] });
});

test('lost links show nothing', async () => {
  const rows = times(9, (i) => [page(i), 'cheap mowers', i < 5 ? '2025-01-02' : '']);
  expect((await find(csv('Referring page URL,Anchor,Lost', rows))).get('repeatedAnchors').domains).toBe(0);
});

test('values are united over files, also those of links that an earlier file contains', async () => {
  const plain = csv(
    'Linking page,Last crawled',
    times(2, (i) => [page(i), '']),
  );
  const titled = (from: number) =>
    csv(
      'Source url,Source title',
      times(2, (i) => [page(from + i), 'Ten secrets revealed']),
    );
  const { get, available } = await find(plain, titled(0), titled(2));
  expect(available).toEqual(['sharedTitles']);
  expect(get('sharedTitles').domains).toBe(4);
});
