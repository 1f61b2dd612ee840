import { expect, test } from 'vitest';
import { buildWeb, createVisit, type MadeSite, textFiles } from './generated-web/web.fixtures.ts';
import { lookAtSite } from './look-at-site.ts';
import { readContent } from './page-content.ts';
import { listPagesWorthVisiting, maxQuote, recognizeOffer } from './recognize.ts';

const url = 'https://blog.example/write-for-us';
const recognize = async (html: string, at = url) => recognizeOffer(await readContent(at, [html]));

/** Looks at all sites. @returns the names of sites by the answer, and the sellers whose price was read wrongly */
async function lookAtAll(sites: readonly MadeSite[]) {
  const visit = createVisit(sites);
  const answers: Record<'found' | 'missed' | 'wrong' | 'otherPrice', MadeSite[]> = {
    found: [],
    missed: [],
    wrong: [],
    otherPrice: [],
  };
  for (const site of sites) {
    const { offer, pages } = await lookAtSite(site.domain, visit);
    expect(pages).toBeLessThanOrEqual(7);
    if (site.sells) answers[offer ? 'found' : 'missed'].push(site);
    else if (offer) answers.wrong.push(site);
    if (site.sells && offer && (offer.price ?? undefined) !== site.price) answers.otherPrice.push(site);
  }
  return answers;
}

test('of more than 1,000 sites in 12 languages, sellers are found and others are not', async () => {
  const counts = new Map<string, { found: number; missed: number; wrong: number }>();
  let sites = 0;
  for (const file of textFiles) {
    const web = buildWeb(file, file === 'sentences' ? 0.45 : 0.12);
    sites += web.length;
    const { otherPrice, ...answers } = await lookAtAll(web);
    expect(otherPrice.map(({ domain }) => domain)).toEqual([]);
    for (const answer of ['found', 'missed', 'wrong'] as const)
      for (const { language } of answers[answer]) {
        const count = counts.get(language) ?? { found: 0, missed: 0, wrong: 0 };
        count[answer] += 1;
        counts.set(language, count);
      }
  }
  const sum = (answer: 'found' | 'missed' | 'wrong') =>
    [...counts.values()].reduce((total, count) => total + count[answer], 0);
  const recall = sum('found') / (sum('found') + sum('missed'));
  const precision = sum('found') / (sum('found') + sum('wrong'));
  const [worst] = [...counts].sort(([, a], [, b]) => b.missed + b.wrong - (a.missed + a.wrong));
  process.stdout.write(
    `${sites} sites: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}, worst ${JSON.stringify(worst)}\n`,
  );
  expect(sites).toBeGreaterThan(1000);
  expect(counts.size).toBe(12);
  expect(recall).toBeGreaterThanOrEqual(0.9);
  expect(precision).toBeGreaterThanOrEqual(0.98);
});

test('an offer has its exact sentence, price, contact page and share of sponsored links', async () => {
  const offer = await recognize(`
    <nav><a href="/">Home</a> <a href="/contact-us">Contact</a></nav>
    <p>We  publish <b>guest posts</b> with a do-follow link for €1.250,00 each.</p>
    <a href="https://a.example/" rel="nofollow sponsored">A</a> <a href="https://b.example/">B</a>`);
  expect(offer).toEqual({
    quote: 'We publish guest posts with a do-follow link for €1.250,00 each.',
    price: 1250,
    currency: 'EUR',
    url,
    contactUrl: 'https://blog.example/contact-us',
    sponsoredShare: 0.5,
  });
});

test('a long sentence is cut around its price', async () => {
  const filler = 'with a friendly editor who reads every single word of your text '.repeat(5);
  const sentence = `We sell sponsored posts ${filler}for $80 per post, ${filler}always.`;
  const { quote = '' } = (await recognize(`<p>${sentence}</p>`)) ?? {};
  expect(quote.length).toBeLessThanOrEqual(maxQuote);
  expect(sentence).toContain(quote);
  expect(quote).toContain('$80');
});

test.each([
  ['We do not sell links, not even for $500.'],
  ['We sell golf links tours from $90 per person.'],
  ['"We sell dofollow links for $80," the owner of the blog told us.'],
  ['Would you like to buy links? Here is why you should not.'],
  ['Banner in our newsletter: $200 per month.'],
  ['TP-Link router: $80'],
])('no offer of links: %s', async (text) => {
  expect(await recognize(`<p>${text}</p>`)).toBeUndefined();
});

test('pages for advertisers and authors are chosen by text or address, and only on the same site', async () => {
  const page = await readContent('https://blog.example/', [
    `<a href="/a">Write for us</a> <a href="https://www.blog.example/b#top">Werben auf dieser Seite</a>
     <a href="/media-kit.html">PDF</a> <a href="https://other.example/guest-post">Guest post</a> <a href="/c">広告掲載</a>
     <a href="/news/1">Why nobody should ever pay for a guest post on a blog</a> <a href="/d">About</a>`,
  ]);
  expect(listPagesWorthVisiting(page)).toEqual([
    'https://blog.example/a',
    'https://www.blog.example/b',
    'https://blog.example/media-kit.html',
    'https://blog.example/c',
  ]);
});

test('a hostile text takes no longer than a usual one', async () => {
  for (const part of ['"', 'we ', '1 ', '1.', '€ ', 'a-', '<p>we publish ', '<div>'.repeat(50)]) {
    const page = await readContent(url, [part.repeat(Math.ceil(200_000 / part.length))]);
    const start = performance.now();
    recognizeOffer(page);
    expect(performance.now() - start).toBeLessThan(1000);
  }
});
