import { expect, test } from 'vitest';
import type { Website } from '#shared/reports/websites.ts';
import { buildReport } from '../report.fixtures.ts';
import { filterWebsites, listTags } from './filter-websites.ts';

function buildWebsite(
  id: number,
  domain: string,
  part: Partial<Website> & { toxic?: number; of?: number } = {},
): Website {
  const { toxic, of = 100, ...website } = part;
  const lastReport =
    toxic === undefined
      ? null
      : buildReport({
          id,
          profileId: id,
          dateCreated: `2026-01-0${id}T00:00:00.000Z`,
          toxicDomains: toxic,
          uniqueDomains: of,
          toxicityPercentage: (100 * toxic) / of,
        });
  return {
    id,
    domain,
    description: null,
    dateAdded: `2025-01-0${id}T00:00:00.000Z`,
    tags: [],
    lastReport,
    reportCount: lastReport ? 1 : 0,
    listedDomains: 0,
    openReviews: 0,
    newToxicDomains: null,
    trend: [],
    disavowAnswers: null,
    watch: { enabled: true, digest: 'off', hosts: 0, unread: { listed: 0, raised: 0, lowered: 0, delisted: 0 } },
    ...website,
  };
}

const websites = [
  buildWebsite(1, 'bakery.example', { toxic: 2, of: 100, tags: ['Client A', 'shop'], openReviews: 1 }),
  buildWebsite(2, 'hotel.example', { toxic: 30, of: 100, tags: ['client a'] }),
  buildWebsite(3, 'garden.example', { toxic: 3, of: 11, tags: ['Blog'], openReviews: 7 }),
  buildWebsite(4, 'new.example'),
  buildWebsite(5, 'airport.example', { toxic: 2, of: 100 }),
];
const names = (filter: Parameters<typeof filterWebsites>[1]) =>
  filterWebsites(websites, filter).map(({ domain }) => domain.replace('.example', ''));

test('the worst website is first, and those without a percentage or a report are last', () => {
  expect(names({})).toEqual(['hotel', 'airport', 'bakery', 'garden', 'new']);
});

test('websites can be sorted by name, report, date added and open reviews', () => {
  expect(names({ sort: 'name' })).toEqual(['airport', 'bakery', 'garden', 'hotel', 'new']);
  expect(names({ sort: 'report' })).toEqual(['airport', 'garden', 'hotel', 'bakery', 'new']);
  expect(names({ sort: 'added' })).toEqual(['airport', 'new', 'garden', 'hotel', 'bakery']);
  expect(names({ sort: 'reviews' })).toEqual(['garden', 'bakery', 'airport', 'hotel', 'new']);
});

test('a search finds parts of domains and tags, and a tag its websites in any case', () => {
  expect(names({ find: 'GARD' })).toEqual(['garden']);
  expect(names({ find: 'client' })).toEqual(['hotel', 'bakery']);
  expect(names({ tag: 'CLIENT A' })).toEqual(['hotel', 'bakery']);
  expect(names({ tag: 'client' })).toEqual([]);
  expect(names({ tag: 'Client A', find: 'shop' })).toEqual(['bakery']);
});

test('each tag is listed once, in the spelling of the first website', () => {
  expect(listTags(websites)).toEqual(['Blog', 'Client A', 'shop']);
});
