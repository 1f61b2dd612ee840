import { expect, test } from 'vitest';
import { startTestApp } from '../test-context.ts';
import { analysisKit } from './analyses.fixtures.ts';

const kit = analysisKit(await startTestApp());
const { list, owner, analyse } = kit;

test('a small file is answered with its report at once, counted as by hand', async () => {
  await list(
    { name: 'sold-links.test', risk: 3, sources: ['fiverr', 'seoclerks', 'manual', 'legiit'] },
    { name: 'deep.parent.test', risk: 1 },
    { name: 'parent.test', risk: 4, sources: ['a', 'b', 'c', 'd', 'e'], addedAt: '2023-12-31T23:30:00Z' },
    { name: 'bad-blog.wordpress.com', risk: 2, sources: ['x', 'y'] },
  );
  const { cookie, site } = await owner();
  const result = await analyse(
    cookie,
    site.id,
    [
      'Source url,Target url',
      'https://www.sold-links.test/a,https://site.example/',
      'https://sold-links.test/a,https://site.example/',
      'http://Shop.Sold-Links.test:8080/b?x=1,https://site.example/',
      'https://deep.parent.test/one,https://site.example/',
      'https://very.deep.parent.test/two,https://site.example/',
      'https://other.parent.test/three,https://site.example/',
      'https://bad-blog.wordpress.com/post,https://site.example/',
      'https://good-blog.wordpress.com/post,https://site.example/',
      'https://friendly.test/,https://site.example/',
      'https://friendly.test/,https://site.example/',
      `https://www.${site.domain}/self,https://site.example/`,
      'https://192.0.2.7/page,https://site.example/',
      ',https://site.example/',
    ].join('\n'),
  );
  expect(result).toMatchObject({
    profileId: site.id,
    totalBacklinks: 10,
    totalDomains: 8,
    uniqueDomains: 5,
    toxicDomains: 3,
    toxicityPercentage: 60,
    toxicityRating: 'very high',
    harmfulBacklinks: 7,
    riskCounts: { veryHigh: 1, high: 3, medium: 1, low: 2 },
  });
  expect(result.toxicBacklinks).toEqual([
    {
      domain: 'parent.test',
      referringPage: 'https://other.parent.test/three',
      riskLevel: 'very high',
      reason: 'Listed by 5 sources since Dec 31, 2023',
      source: 'a, b, c, d, e',
    },
    ...['https://www.sold-links.test/a', 'https://sold-links.test/a', 'http://Shop.Sold-Links.test:8080/b?x=1'].map(
      (page) => ({
        domain: 'sold-links.test',
        referringPage: page,
        riskLevel: 'high',
        reason: 'Listed by 4 sources since Jan 5, 2024',
        source: 'fiverr, seoclerks, manual, legiit',
      }),
    ),
    expect.objectContaining({ domain: 'bad-blog.wordpress.com', riskLevel: 'medium' }),
    {
      domain: 'deep.parent.test',
      referringPage: 'https://deep.parent.test/one',
      riskLevel: 'low',
      reason: 'Listed by 1 source since Jan 5, 2024',
      source: 'fiverr',
    },
    expect.objectContaining({ domain: 'deep.parent.test', referringPage: 'https://very.deep.parent.test/two' }),
  ]);
  expect(result.skipped).toEqual([
    { reason: 'empty', count: 1, lines: [14] },
    { reason: 'not a domain', count: 1, lines: [13] },
    { reason: 'own site', count: 1, lines: [12] },
  ]);
  expect(result.format).toMatchObject({ column: 'Source url' });
});
