import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { SeenPage, VisitPage } from '../look-at-site.ts';

// A web of made-up sites, the same in each run. docs/discoveries.md tells how its four files of texts came about.

/** A site, and what is true about it. */
export interface MadeSite {
  domain: string;
  language: string;
  kind: SiteKind;
  /** Whether it offers links for money. */
  sells: boolean;
  /** The amount that the site names. */
  price: number | undefined;
  pages: Map<string, MadePage>;
}

type MadePage = { html: string; isEndless?: boolean } | { location: string };
type TextKind = 'seller' | 'hidden' | 'refusal' | 'article' | 'free' | 'banner' | 'shop' | 'other';
type SiteKind = TextKind | 'moved' | 'movedAway' | 'comments' | 'unseen' | 'endless' | 'endlessSeller';

/** How many sites there are of each kind, in each language. */
const numbers: Readonly<Record<SiteKind, number>> = {
  seller: 26,
  hidden: 12,
  refusal: 12,
  article: 10,
  free: 8,
  banner: 4,
  shop: 4,
  other: 6,
  moved: 3,
  movedAway: 1,
  comments: 2,
  unseen: 2,
  endless: 1,
  endlessSeller: 1,
};
/** Which texts a site of this kind has, if not those of its own name. */
const textsOf: Partial<Record<SiteKind, TextKind>> = {
  moved: 'seller',
  movedAway: 'seller',
  comments: 'seller',
  unseen: 'seller',
  endless: 'article',
  endlessSeller: 'seller',
};
const sellingKinds: ReadonlySet<SiteKind> = new Set(['seller', 'hidden', 'moved', 'endlessSeller']);

type Texts = Map<string, Map<string, string[]>>;

/** Reads the texts by language and kind. */
function readTexts(file: string): Texts {
  const texts: Texts = new Map();
  let section = new Map<string, string[]>();
  for (const line of readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')) {
    const head = /^\[(\w+)\]/.exec(line)?.[1];
    const [, kind, text] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (head !== undefined) {
      section = new Map();
      texts.set(head, section);
    } else if (kind !== undefined && text !== undefined) section.set(kind, [...(section.get(kind) ?? []), text]);
  }
  return texts;
}

/** Numbers from 0 to below 1, always the same ones (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How people of a country write a price. */
const priceFormats: Readonly<Record<string, readonly ((amount: number) => string)[]>> = {
  en: [
    (n) => `$${n}`,
    (n) => `£${n}`,
    (n) => `${n} USD`,
    (n) => `US$ ${n}.00`,
    (n) => `$${1000 + n}`.replace('$1', '$1,'),
  ],
  de: [(n) => `${n} €`, (n) => `${n},00 Euro`, (n) => `€ ${n},-`, (n) => `${n} CHF`],
  fr: [(n) => `${n} €`, (n) => `${n} euros`, (n) => `${n},00 € HT`],
  es: [(n) => `${n} €`, (n) => `${n} euros`, (n) => `USD ${n}`],
  it: [(n) => `${n} €`, (n) => `${n} euro`, (n) => `€ ${n},00`],
  pt: [(n) => `R$ ${n}`, (n) => `R$ ${n},00`, (n) => `${n} reais`, (n) => `${n} €`],
  nl: [(n) => `€ ${n}`, (n) => `€${n},-`, (n) => `${n} euro`],
  pl: [(n) => `${n} zł`, (n) => `${n} PLN`, (n) => `${n} złotych`],
  ru: [(n) => `${n}0 ₽`, (n) => `${n}0 руб.`, (n) => `${n}0 рублей`, (n) => `$${n}`],
  tr: [(n) => `${n}0 TL`, (n) => `₺${n}0`, (n) => `${n} USD`],
  ja: [(n) => `${n}00円`, (n) => `¥${n}00`, () => '3万円'],
  zh: [(n) => `${n}元`, (n) => `¥${n}`, (n) => `${n}美元`],
};
/** What the reader of a price understands. */
const readAmount = (price: string): number =>
  price.includes('万')
    ? 30_000
    : Number(
        price
          .replace(/,(?=\d{3})/, '')
          .replace(/[.,](?:00|-)/, '')
          .replace(/\D/g, ''),
      );

/** How a page is built from its blocks. */
const layouts: readonly ((blocks: readonly string[]) => string)[] = [
  (blocks) => `<main>${blocks.map((block) => `<p>${cells(block).join(' ')}</p>`).join('\n')}</main>`,
  (blocks) => {
    const rows = blocks.map(
      (block) =>
        `<tr>${cells(block)
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    );
    return `<article><table><tbody>${rows.join('')}</tbody></table></article>`;
  },
  (blocks) =>
    `<div class="content"><ul>${blocks.map((block) => `<li>${cells(block).join(' – ')}`).join('\n')}</ul></div>`,
  (blocks) => {
    const [first = '', ...others] = blocks;
    return `<section><h2>${cells(first).join(': ')}</h2>${others
      .map(
        (block) =>
          `<div>${cells(block)
            .map((cell) => `<span>${cell}</span>`)
            .join(' ')}</div>`,
      )
      .join('')}</section>`;
  },
  (blocks) =>
    `<dl>${blocks
      .map((block) =>
        cells(block)
          .map((cell, at) => (at ? `<dd>${cell}</dd>` : `<dt>${cell}</dt>`))
          .join(''),
      )
      .join('')}</dl>`,
  (blocks) => `<div>${blocks.map((block) => cells(block).map(emphasize).join('<br>')).join('<br><br>')}</div>`,
];
const cells = (block: string) => block.split(' :: ');
/** Puts the second word of a text into an element, as editors do. */
const emphasize = (text: string) => text.replace(/ (\S+) /, ' <strong>$1</strong> ');

const headings = ['News', 'Blog', 'Home', 'Info'];

/** The files with texts, in the order in which they were written. */
export const textFiles = ['sentences', 'more-sentences', 'hard-sentences', 'held-back'] as const;

/**
 * Builds the sites of all languages from the texts of a file.
 * @param share of the usual number of sites
 */
export function buildWeb(file: (typeof textFiles)[number], share: number): MadeSite[] {
  const first = readTexts('./sentences.fixtures.txt');
  return [...readTexts(`./${file}.fixtures.txt`)].flatMap(([language, texts], at) => {
    const random = createRandom(100 * at + 7);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const [menu = [], plain = []] = ['menu', 'plain'].map((name) =>
      (texts.get(name) ?? first.get(language)?.get(name) ?? [''])[0]?.split('; '),
    );
    const build = (kind: SiteKind, number: number): MadeSite => {
      const domain = `${language}-${kind.toLowerCase()}-${number}.example`;
      const priceText = pick(priceFormats[language] ?? [])(20 + Math.floor(random() * 300));
      const choices = texts.get(textsOf[kind] ?? kind) ?? [];
      // Each text is used as often as the others.
      const text = (choices[number % choices.length] ?? '')
        .replace(/\{([^{}]*\|[^{}]*)\}/g, (_, words: string) => pick(words.split('|')))
        .replaceAll('{site}', pick([domain, 'Meadow & Co', 'Nordlicht', 'Tierra']))
        .replaceAll('{price}', priceText);
      const body = pick(layouts)(text.split(' ¶ ').map((block) => block.replaceAll('& ', '&amp; ')));
      const isOnHome = random() < 0.25;
      const name = pick(menu).replaceAll('{site}', domain);
      const path = random() < 0.5 ? `/p/${number}` : `/${encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))}`;
      const links = plain.map((label, position) => `<a href="/page-${position}">${label}</a>`);
      const outside =
        '<p><a href="https://partner.example/" rel="sponsored noopener">Partner</a> <a href="https://other.example/">Other</a></p>';
      const wrap = (inner: string, isHome = false) =>
        `<!doctype html><html lang="${random() < 0.8 ? language : 'en'}"><head><title>${pick(headings)}</title><style>p{}</style>` +
        `<script>var text = "We sell dofollow links for $50";</script></head><body><nav>${links[0] ?? ''} ` +
        `<a href="${path}">${name}</a> ${links.slice(1).join(' ')}</nav>${inner}${isHome ? outside : ''}<footer>© 2026</footer></body></html>`;
      const neutral =
        (texts.get('shop') ?? first.get(language)?.get('shop') ?? [''])[0]
          ?.split(' ¶ ')
          .slice(0, 1)
          .map((block) => `<p>${cells(block.replaceAll('{price}', priceText)).join(' ')}</p>`)
          .join('') ?? '';
      const pages = new Map<string, MadePage>();
      const offerPage = wrap(body);
      if (kind === 'moved') {
        pages.set('/', { html: wrap(neutral, true) });
        pages.set(path, { location: '/moved' });
        pages.set('/moved', { html: offerPage });
      } else if (kind === 'movedAway') {
        pages.set('/', { html: wrap(neutral, true) });
        pages.set(path, { location: `https://another-${language}.example/offer` });
      } else if (kind === 'comments') {
        pages.set('/', { html: wrap(`${neutral}<section id="comments">${body}</section>`, true) });
        pages.set(path, { html: wrap(`${neutral}<ol class="comment-list"><li>${body}</li></ol>`) });
      } else if (kind === 'unseen') {
        pages.set('/', { html: wrap(`${neutral}<div style="display: none">${body}</div>`, true) });
        pages.set(path, { html: wrap(`<noscript>${body}</noscript><!-- ${body} --><template>${body}</template>`) });
      } else if (kind === 'endless' || kind === 'endlessSeller') {
        pages.set('/', { html: wrap(neutral, true), isEndless: true });
        pages.set(path, { html: offerPage, isEndless: true });
      } else {
        pages.set('/', { html: wrap(isOnHome ? body : neutral, true) });
        pages.set(path, { html: isOnHome ? wrap(neutral) : offerPage });
      }
      const sells = sellingKinds.has(kind);
      return {
        domain,
        language,
        kind,
        sells,
        price: sells && text.includes(priceText) ? readAmount(priceText) : undefined,
        pages,
      };
    };
    return (Object.keys(numbers) as SiteKind[]).flatMap((kind) =>
      texts.has(textsOf[kind] ?? kind)
        ? Array.from({ length: Math.max(1, Math.round(numbers[kind] * share)) }, (_, number) => build(kind, number))
        : [],
    );
  });
}

/** The most text that a visit of an endless page may read. */
const endlessLimit = 20_000_000;

/** Returns a function that visits the pages of the sites. Redirects are followed, and texts come in parts. */
export function createVisit(sites: readonly MadeSite[]): VisitPage {
  const byDomain = new Map(sites.map((site) => [site.domain, site]));
  const visit = async (address: string, followed = 0): Promise<SeenPage> => {
    const url = new URL(address);
    const site = byDomain.get(url.hostname);
    const page = site?.pages.get(url.pathname);
    const known = { kind: 'page' as const, url: url.href, close: () => undefined };
    if (!page) return { ...known, status: 404, body: toParts('') };
    if (!('location' in page)) return { ...known, status: 200, body: toParts(page.html, page.isEndless) };
    const target = new URL(page.location, url);
    if (!byDomain.has(target.hostname))
      return {
        ...known,
        url: target.href,
        status: 200,
        body: toParts('<p>We sell dofollow links on our site for $50.</p>'),
      };
    return followed > 5 ? { kind: 'unreachable', reason: 'redirects' } : await visit(target.href, followed + 1);
  };
  return (url) => visit(url);
}

async function* toParts(html: string, isEndless = false): AsyncGenerator<string> {
  for (let from = 0; from < html.length; from += 700) yield html.slice(from, from + 700);
  for (let length = 0; isEndless; length += 1000) {
    if (length > endlessLimit) throw new Error('An endless page was read without a limit.');
    if (length % 100_000 === 0) await setImmediate();
    yield `<p>${'Lorem ipsum dolor sit amet. '.repeat(36)}</p>`;
  }
}
