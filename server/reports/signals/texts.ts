import { BlockList, isIP, isIPv4 } from 'node:net';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { decodeText } from '../../platform/csv/encoding.ts';

/** Longer values are cut, in bytes and in characters. */
const maxBytes = 400;
const maxLength = 200;

/**
 * Returns the start of a text on one line, without doubled quotation marks, and without NUL, which PostgreSQL rejects.
 */
export function readText(buffer: Buffer, start: number, end: number): string {
  let to = Math.min(end, start + maxBytes);
  // Not between the bytes of a character.
  while (to < end && to > start && ((buffer[to] as number) & 0xc0) === 0x80) to -= 1;
  const text = decodeText(buffer, start, to)
    .replace(/[\0\s]+/g, ' ')
    .replaceAll('""', '"')
    .trim()
    .slice(0, maxLength);
  return (text.isWellFormed() ? text : text.slice(0, -1)).trimEnd();
}

/** Returns the start of the text of a cell. */
export const readCell = ({ buffer, starts, ends }: CsvRecord, slot: number): string =>
  (starts[slot] ?? -1) < 0 ? '' : readText(buffer, starts[slot] as number, ends[slot] as number);

const toWordSet = (text: string) => new Set(text.split(',').map((word) => word.trim()));

/** Anchors that sites all over the web use for any link. */
const genericAnchors = toWordSet(
  'click here, click, here, this, this site, this website, this page, this link, this article, this post, link, links, website, ' +
    'web site, web, site, homepage, home page, home, page, url, source, sources, via, visit, visit site, visit website, visit us, ' +
    'visit our website, visit the website, visit page, visit here, website link, official website, official site, read more, ' +
    'read more here, more, more info, more information, more details, learn more, find out more, see more, view more, show more, ' +
    'details, view, view website, view site, open, go, go to website, go to site, continue, continue reading, read, read article, ' +
    'full article, article, original, original article, original source, original post, check it out, check this out, ' +
    'check here, try here, get it here, download, image, img, picture, photo, logo, banner, thumbnail, icon, null, none, ' +
    'noanchor, no anchor, no text, empty anchor, [image], screenshot, blog, shop, store, buy, buy now, order, contact, contact us, ' +
    'about, about us, company, reply, permalink, backlink, reference, references, ' +
    // German, French, Spanish, Italian, Portuguese, Dutch, Polish
    'hier, hier klicken, klick hier, klicken sie hier, webseite, webseite besuchen, zur website, zur webseite, weiterlesen, mehr, ' +
    'mehr erfahren, mehr infos, quelle, startseite, ici, cliquez ici, site web, site officiel, lire la suite, en savoir plus, ' +
    'voir le site, accueil, aquí, haz clic aquí, sitio web, leer más, más información, ver más, fuente, página web, qui, ' +
    'clicca qui, sito, sito web, leggi tutto, scopri di più, fonte, aqui, clique aqui, saiba mais, leia mais, página, hier klikken, ' +
    'klik hier, lees meer, meer info, bron, tutaj, kliknij tutaj, strona, czytaj więcej, więcej, źródło, ' +
    // Russian, Turkish, Japanese, Chinese
    'здесь, тут, сайт, ссылка, подробнее, читать далее, источник, перейти, перейти на сайт, на сайте, buraya tıklayın, tıklayın, ' +
    'devamını oku, kaynak, こちら, ここ, 続きを読む, 公式サイト, ホームページ, 点击这里, 这里, 官网, 网站, 阅读更多, 链接, 更多',
);

/** Titles of error pages, parked domains and fresh installations. */
const genericTitle =
  /^(home ?page|welcome( to nginx!?)?|untitled( document| page)?|new page|index of \/.*|(error )?(403|404|410|500|502|503)\b.*|(page )?not found.*|access denied.*|just a moment.*|attention required.*|one moment, please.*|are you a robot.*|account suspended.*|this account has been suspended.*|domain (name )?(is )?for sale.*|.*\bdomain (name )?(is )?for sale.*|coming soon.*|under (construction|maintenance).*|site (maintenance|not found).*|default (web site )?page.*|apache2? .*default page.*|hello world!?|redirecting.*|loading.*|sign in.*|log ?in.*|search results.*|contact us|about us|privacy policy.*|terms (of|and) .*|links? ?page|our partners|useful links|guest ?book|blog archive.*|archives?|sitemap|startseite|accueil|inicio|главная( страница)?|ホーム|首页)$/iu;

/** What blogs show instead of a person's name. */
const genericAuthor =
  /^(by )?(the )?(site |web ?site |blog )?(admin|administrator|editor|editorial|editors|staff|guest|author|user|team|webmaster|anonymous|unknown|writer|contributor|redaktion|rédaction|redacción|редакция)( (team|staff|desk|board|writer|writers|author|user|post|admin|contributor|editor|office))?( \d+)?$/iu;

const hasLetter = /\p{L}/u;
const addressLike = /^(https?:|www\.|[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,24}([/:?#].*)?$)/iu;
const withoutMarks = /^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu;

const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Shorter names of websites are also parts of other words. */
const minBrandLength = 4;

/**
 * Returns whether an anchor says something about what is sold: not an address, a general phrase, or the name of the
 * website. It is the name if it contains the domain without its ending, with or without spaces.
 */
export function createAnchorTest(ownHost: string): (anchor: string) => boolean {
  const domain = registrableDomain(ownHost) ?? ownHost;
  const brand = toLetters(domain.split('.')[0] ?? '');
  return (anchor) => {
    const text = anchor.toLowerCase().replace(withoutMarks, '');
    if (!hasLetter.test(text) || genericAnchors.has(text) || genericAnchors.has(anchor.toLowerCase())) return false;
    if (addressLike.test(text)) return false;
    const letters = toLetters(text);
    return letters !== brand && !(brand.length >= minBrandLength && letters.includes(brand));
  };
}

/** Returns whether a title names the content of a page. */
export const isTellingTitle = (title: string): boolean =>
  hasLetter.test(title) && title !== 'null' && !genericTitle.test(title.replace(withoutMarks, ''));

/** Returns whether an author is the name of a person or company. A single word is too common. */
export const isTellingAuthor = (author: string): boolean =>
  hasLetter.test(author) && /\S\s\S|\p{Lo}{2}/u.test(author) && !genericAuthor.test(author);

/**
 * Networks in which unrelated websites share addresses: content delivery networks and large website builders, from the
 * lists that they publish.
 */
const sharedRanges = [
  // Cloudflare
  '103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 104.16.0.0/13 104.24.0.0/14 108.162.192.0/18 131.0.72.0/22 141.101.64.0/18',
  '162.158.0.0/15 172.64.0.0/13 173.245.48.0/20 188.114.96.0/20 190.93.240.0/20 197.234.240.0/22 198.41.128.0/17',
  // Fastly, GitHub Pages, Vercel, Netlify
  '151.101.0.0/16 199.232.0.0/16 146.75.0.0/17 185.199.108.0/22 76.76.21.0/24 75.2.60.0/24 99.83.190.0/24',
  // WordPress.com, Blogger and Google Sites, Squarespace, Shopify, Wix, Weebly, Tumblr
  '192.0.64.0/18 216.239.32.0/19 142.250.0.0/15 198.185.159.0/24 198.49.23.0/24 23.227.38.0/23 185.230.60.0/22',
  '199.34.228.0/22 74.114.152.0/22',
  // Private addresses
  '10.0.0.0/8 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 0.0.0.0/8',
].join(' ');

const sharedAddresses = new BlockList();
for (const range of sharedRanges.split(' ')) {
  const [address = '', prefix] = range.split('/');
  sharedAddresses.addSubnet(address, Number(prefix), 'ipv4');
}
sharedAddresses.addSubnet('2606:4700::', 32, 'ipv6');
sharedAddresses.addSubnet('2a06:98c0::', 29, 'ipv6');

/** Returns whether a text is an IP address that tells who runs a website. */
export const isTellingAddress = (text: string): boolean =>
  isIP(text) !== 0 && !sharedAddresses.check(text, isIPv4(text) ? 'ipv4' : 'ipv6');
