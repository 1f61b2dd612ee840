import { escapeHtml } from '#shared/html.ts';
import type { PrerenderedPage, PublicPage } from '#shared/pages.ts';
import { fullTitle } from './lib/use-title.ts';
import { contactFaq } from './messages/contact-page.tsx';
import { featuresFaq } from './pages/features-page.tsx';
import { publicPageMeta } from './pages/pages.tsx';
import { paths } from './paths.ts';

/** Stands for the scheme and host that people type, which only the server knows. */
const origin = '__ORIGIN__';

const questions: Partial<Record<PublicPage, readonly { question: string; answer: string }[]>> = {
  [paths.features]: featuresFaq,
  [paths.contact]: contactFaq,
};

/**
 * What a public page tells search engines and link previews, as HTML for its head.
 * @param path undefined: the page at an address where nothing is
 */
export function headOf(path: PrerenderedPage | undefined): string {
  if (!path) return unlisted('404 Page Not Found');
  if (path === paths.pricing) {
    return `${unlisted('Pricing')}\n    <noscript><meta http-equiv="refresh" content="0; url=${paths.features}" /></noscript>`;
  }
  const { description } = publicPageMeta[path];
  const title = fullTitle(publicPageMeta[path].title);
  const address = `${origin}${path}`;
  const image = `${origin}/share-image.png`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    `<link rel="canonical" href="${address}" />`,
    property('og:site_name', 'Linksieve'),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', address),
    property('og:image', image),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', 'Linksieve, the paid-link blacklist'),
    named('twitter:card', 'summary_large_image'),
    `<script type="application/ld+json">${json({ '@context': 'https://schema.org', '@graph': thingsOn(path) })}</script>`,
  ].join('\n    ');
}

/** Of a page that no search engine is to show. */
const unlisted = (title: string) => `<title>${fullTitle(title)}</title>\n    <meta name="robots" content="noindex" />`;

/** The schema.org things that a page is about (https://schema.org/docs/full.html). */
function thingsOn(path: PublicPage): object[] {
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
    description: publicPageMeta[paths.home].description,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    publisher: { '@id': organization['@id'] },
  };
  const page = {
    '@type': 'WebPage',
    url: `${origin}${path}`,
    name: publicPageMeta[path].title,
    description: publicPageMeta[path].description,
    about: { '@id': application['@id'] },
  };
  const faq = questions[path];
  return [organization, application, page, ...(faq ? [{ '@type': 'FAQPage', mainEntity: faq.map(questionOf) }] : [])];
}

function questionOf({ question, answer }: { question: string; answer: string }) {
  return { '@type': 'Question', name: question, acceptedAnswer: { '@type': 'Answer', text: answer } };
}

const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;

/** JSON that cannot end the script element it stands in. */
const json = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');
