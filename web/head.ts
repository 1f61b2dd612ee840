import { updatesFeedPath } from '#shared/blacklist/updates.ts';
import { domainPagePath } from '#shared/checks/domain-page-path.ts';
import { type PublicPage, publicPages } from '#shared/pages.ts';
import { escapeHtml } from '#shared/platform/html.ts';
import { contactFaq } from './operations/messages/contact-page.tsx';
import { publicPageTitles } from './page-titles.ts';
import { paths } from './paths.ts';
import type { PageDescription } from './platform/page-state.ts';
import { fullTitle } from './platform/use-title.ts';
import { featuresFaq } from './site/pages/features-page.tsx';

/** The meta description of each public page. head.test.ts checks that search results do not cut them off. */
export const descriptions: Record<PublicPage, string> = {
  '/': 'Search domains known or suspected to sell backlinks. Upload a backlink export to get a toxicity report and a disavow file. Free for everyone.',
  '/check':
    'Paste or upload up to 10,000 domains with quoted prices, and see which are on the blacklist and what their links usually cost.',
  '/features':
    'Search link sellers by risk level, analyze backlink exports from SEO tools, compare reports over time, and export CSV or disavow files.',
  '/use-cases':
    'Check a domain before you place a link, prepare a disavow file, monitor the backlinks of your websites, analyze competitors, or use the API.',
  '/methodology':
    'Where listings come from, how risk levels and toxicity are computed, how domains are matched, and what a listing does and does not prove.',
  '/updates':
    'What was added to and removed from the paid-link blacklist each month, and the public lists that it contains, with licenses. Also as a feed.',
  '/extension':
    'See the risk of sites while you browse, in search results and on marketplaces. The extension never sends the names of the sites that you visit.',
  '/about':
    'Who runs Linksieve, how the paid-link blacklist works, how a domain is listed, and how to have incorrect information corrected or removed.',
  '/contact':
    'Contact the maintainers of Linksieve with questions, corrections of listed domains, feature requests, or problems with a backlink report.',
  '/api/docs':
    'Check one domain or up to 500 at once against the paid-link blacklist. Examples in curl, JavaScript and Python, limits, errors and OpenAPI.',
  '/privacy-policy':
    'What data Linksieve stores about visitors and users, why, and for how long, and how to download your data or delete your account.',
  '/terms-of-service':
    'The terms for using Linksieve: the paid-link blacklist, backlink reports, exports and the API, and what you may do with the data.',
  '/accessibility':
    'How Linksieve works with a keyboard, a screen reader and large text, how it is tested, which limits are known, and how to report a barrier.',
  '/crawler':
    'What LinksieveBot requests from your server, how often, what it stores, how robots.txt controls it, and how to stop its visits.',
};

const faqs: Partial<Record<PublicPage, readonly { question: string; answer: string }[]>> = {
  [paths.features]: featuresFaq,
  [paths.contact]: contactFaq,
};

/**
 * Builds the HTML of a page's head: title, meta tags for search engines and link previews, and structured data.
 * @param url path and query
 * @param page what the page says about itself
 * @param origin scheme and host of the site
 */
export function buildHead(url: string, page: PageDescription, origin: string): string {
  const [pathname = ''] = url.split('?');
  const path = publicPages.find((known) => known === pathname && (page.status ?? 200) === 200);
  const title = fullTitle(path ? publicPageTitles[path] : page.title);
  const description = path ? descriptions[path] : page.description;
  const isIndexed = page.isIndexed ?? path !== undefined;
  const address = `${origin}${pathname}`;
  const image = `${origin}/share-image.png`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...(description ? [metaName('description', description)] : []),
    ...(isIndexed ? [] : [metaName('robots', 'noindex')]),
    ...(pathname === paths.pricing
      ? [`<noscript><meta http-equiv="refresh" content="0; url=${paths.features}" /></noscript>`]
      : []),
    ...(path || page.description
      ? [
          `<link rel="canonical" href="${escapeHtml(address)}" />`,
          metaProperty('og:site_name', 'Linksieve'),
          metaProperty('og:type', 'website'),
          metaProperty('og:title', title),
          metaProperty('og:description', description ?? ''),
          metaProperty('og:url', address),
        ]
      : []),
    ...(path === paths.updates
      ? [
          `<link rel="alternate" type="application/atom+xml" title="Linksieve blacklist updates" href="${origin}${updatesFeedPath}" />`,
        ]
      : []),
    ...(path
      ? [
          metaProperty('og:image', image),
          metaProperty('og:image:width', '1200'),
          metaProperty('og:image:height', '630'),
          metaProperty('og:image:alt', 'Linksieve, the paid-link blacklist'),
          metaName('twitter:card', 'summary_large_image'),
          `<script type="application/ld+json">${json({ '@context': 'https://schema.org', '@graph': structuredData(path, origin) })}</script>`,
        ]
      : []),
  ].join('\n');
}

/** The schema.org objects of a page (https://schema.org/docs/full.html). */
function structuredData(path: PublicPage, origin: string): object[] {
  const organization = {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: 'Linksieve',
    url: `${origin}/`,
    logo: `${origin}/logo.png`,
  };
  const application = {
    '@type': 'SoftwareApplication',
    '@id': `${origin}/#application`,
    name: 'Linksieve',
    url: `${origin}/`,
    description: descriptions[paths.home],
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    publisher: { '@id': organization['@id'] },
  };
  const page = {
    '@type': 'WebPage',
    url: `${origin}${path}`,
    name: publicPageTitles[path],
    description: descriptions[path],
    about: { '@id': application['@id'] },
  };
  const website = {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: 'Linksieve',
    url: `${origin}/`,
    publisher: { '@id': organization['@id'] },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}${domainPagePath}?search={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
  const faq = faqs[path];
  return [
    organization,
    application,
    ...(path === paths.home ? [website] : []),
    page,
    ...(faq ? [{ '@type': 'FAQPage', mainEntity: faq.map(toQuestion) }] : []),
  ];
}

function toQuestion({ question, answer }: { question: string; answer: string }) {
  return { '@type': 'Question', name: question, acceptedAnswer: { '@type': 'Answer', text: answer } };
}

function metaName(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}" />`;
}
function metaProperty(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}" />`;
}

/** Serializes to JSON that is safe inside a script element: it never contains `</script>`. */
const json = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');
