import type { CatalogueEntry } from '#shared/blacklist/feeds.ts';

/** An entry of the catalogue, without what depends on the installation. */
export type CatalogueFeed = Omit<CatalogueEntry, 'subscribed'>;

/** The origin of the catalogue's lists. `FEED_MIRROR_URL` replaces it. */
export const catalogueOrigin = 'https://raw.githubusercontent.com';

/** `HEAD` is the default branch of a repository, whatever its name. */
const github = (repository: string, path: string) => ({
  url: `${catalogueOrigin}/${repository}/HEAD/${encodeURI(path)}`,
  homepage: `https://github.com/${repository}`,
});

const [daily, weekly, monthly] = [24, 168, 720];

/** These lists copy from each other: up to 98% of a smaller one is in a larger one. */
const referrerSpam = 'Referrer spam';

/** The lists of one curator about single networks. A domain in two of them has one witness. */
const networkFamily = 'Super SEO Spam Suppressor';

/** One file per agency or network, with the number of its sites. */
const networks: readonly [key: string, name: string, file: string, size: number][] = [
  ['ab-internet', 'AB Internet', 'Slop/Automated blogs/AB Internet', 54],
  ['digicketing', 'Digicketing', 'SEO business/Digicketing', 22],
  ['groupe-influa', 'Groupe Influa', 'SEO business/Groupe Influa', 5],
  ['groupe-publithings', 'Groupe Publithings', 'SEO business/Groupe Publithings', 40],
  ['idax', 'Idax', 'SEO business/Idax', 95],
  ['jfe-digital', 'JFE Digital', 'SEO business/JFE Digital', 6],
  ['la-nantaise-du-web', 'La Nantaise du Web', 'SEO business/La Nantaise du Web', 43],
  ['launch-potato', 'Launch Potato', 'SEO business/Launch Potato', 4],
  ['linkuma', 'Linkuma', 'SEO business/Linkuma', 5],
  ['oboxmedia', 'Oboxmedia', 'SEO business/Oboxmedia', 28],
  ['offer-web', 'Offer Web', 'SEO business/Offer Web', 9],
  ['seo-services', 'SEO services', 'SEO business/SEO services', 1],
  ['team-bulldoz', 'Team Bulldoz', 'Slop/Automated blogs/Team Bulldoz', 23],
  ['uk-lifehacks', 'UK Lifehacks', 'Slop/Automated blogs/UK Lifehacks', 41],
];

const networkRepository = 'NotaInutilis/Super-SEO-Spam-Suppressor';

/**
 * Public lists with free licenses. Recommended are those that were changed within the last two years, and that list
 * domains for selling or building links, or for spam that ends up in backlink profiles.
 */
export const catalogue: readonly CatalogueFeed[] = [
  {
    key: 'gposting',
    group: 'sellers',
    name: 'GPosting',
    description: 'The sites on which a seller of guest posts offers links.',
    ...github(networkRepository, 'sources/SEO business/GPosting.txt'),
    licence: 'WTFPL',
    kind: 'block',
    sourceKind: 'inventory',
    family: networkFamily,
    approximateSize: 197,
    intervalHours: weekly,
    isRecommended: false,
  },
  ...networks.map(
    ([key, name, file, approximateSize]): CatalogueFeed => ({
      key,
      group: 'sellers',
      name,
      description: `The sites of the network ${name}.`,
      ...github(networkRepository, `sources/${file}.txt`),
      licence: 'WTFPL',
      kind: 'block',
      sourceKind: 'list',
      family: networkFamily,
      approximateSize,
      intervalHours: weekly,
      isRecommended: false,
    }),
  ),
  {
    key: 'public-disavow-links',
    group: 'disavow',
    name: 'Public Disavow Links',
    description: 'A disavow file with spam domains that link to many sites.',
    ...github('mertcangokgoz/public-disavow-links', 'disavow-links.txt'),
    licence: 'MIT',
    kind: 'block',
    sourceKind: 'disavow',
    family: referrerSpam,
    approximateSize: 18_000,
    intervalHours: weekly,
    isRecommended: true,
  },
  {
    key: 'turkish-tech-disavow',
    group: 'disavow',
    name: 'Turkish Tech Disavow List',
    description: 'The disavow file of a technology site, with link sellers and hacked sites.',
    ...github('coolrecep/turkish-tech-disavow-list', 'disavow.txt'),
    licence: 'MIT',
    kind: 'block',
    sourceKind: 'disavow',
    family: null,
    approximateSize: 11_000,
    intervalHours: weekly,
    isRecommended: true,
  },
  {
    key: 'bad-bot-blocker',
    group: 'disavow',
    name: 'Ultimate Bad Bot Blocker',
    description: 'Bad referrers of a popular blocklist for web servers, as a disavow file.',
    ...github('mitchellkrogza/apache-ultimate-bad-bot-blocker', '_google_webmaster_disavow_links/google-disavow.txt'),
    licence: 'MIT',
    kind: 'block',
    sourceKind: 'disavow',
    family: referrerSpam,
    approximateSize: 7000,
    intervalHours: daily,
    isRecommended: true,
  },
  {
    key: 'spamdexing-sites',
    group: 'spamdexing',
    name: 'Spamdexing Sites',
    description: 'Sites made to manipulate search results, often on expired domains.',
    ...github('elliotwutingfeng/SpamdexingSites', 'blocklist.txt'),
    licence: 'BSD-3-Clause',
    kind: 'block',
    sourceKind: 'list',
    family: null,
    approximateSize: 3700,
    intervalHours: daily,
    isRecommended: true,
  },
  {
    key: 'matomo-referrer-spam',
    group: 'spamdexing',
    name: 'Matomo Referrer Spam List',
    description: 'Domains that send fake visits to promote themselves, maintained by an analytics community.',
    ...github('matomo-org/referrer-spam-list', 'spammers.txt'),
    licence: 'Public domain',
    kind: 'block',
    sourceKind: 'list',
    family: referrerSpam,
    approximateSize: 2300,
    intervalHours: daily,
    isRecommended: true,
  },
  {
    key: 'seo-garbage',
    group: 'spamdexing',
    name: 'SEO Garbage',
    description: 'Generated and copied content sites, each checked by hand.',
    ...github('insomnimus/seo-garbage', 'list.txt'),
    licence: 'Apache-2.0',
    kind: 'block',
    sourceKind: 'list',
    family: null,
    approximateSize: 250,
    intervalHours: daily,
    isRecommended: true,
  },
  {
    key: 'bad-website-blocklist',
    group: 'spamdexing',
    name: 'Bad Website Blocklist',
    description: 'Spam and misleading sites in search results. Half of its rules are for single pages and skipped.',
    ...github('popcar2/BadWebsiteBlocklist', 'uBlacklist.txt'),
    licence: 'CC0-1.0',
    kind: 'block',
    sourceKind: 'list',
    family: null,
    approximateSize: 200,
    intervalHours: weekly,
    isRecommended: true,
  },
  {
    key: 'search-engine-spam',
    group: 'spamdexing',
    name: 'Search Engine Spam Domains',
    description: 'A broad list of spam in search results. It has not changed since 2021.',
    ...github('no-cmyk/Search-Engine-Spam-Domains-Blocklist', 'blocklist_light.txt'),
    licence: 'Unlicense',
    kind: 'block',
    sourceKind: 'list',
    family: null,
    approximateSize: 93_000,
    intervalHours: monthly,
    isRecommended: false,
  },
  {
    key: 'top-sites',
    group: 'wellKnown',
    name: 'Top Sites',
    description: 'The 500 sites with the most linking domains. They are never listed without your decision.',
    ...github('Kikobeats/top-sites', 'top-sites.json'),
    licence: 'MIT',
    kind: 'allow',
    sourceKind: null,
    family: null,
    approximateSize: 500,
    intervalHours: weekly,
    isRecommended: true,
  },
  {
    key: 'opendns-top-domains',
    group: 'wellKnown',
    name: 'OpenDNS Top Domains',
    description: 'The 10,000 most requested domains of 2014. It contains names that have changed hands since.',
    ...github('opendns/public-domain-lists', 'opendns-top-domains.txt'),
    licence: 'Public domain',
    kind: 'allow',
    sourceKind: null,
    family: null,
    approximateSize: 10_000,
    intervalHours: monthly,
    isRecommended: false,
  },
];
