import { Parser } from 'htmlparser2';

/** What a visitor reads on a page, and where its links lead. */
export interface PageContent {
  /** Where the page is, after redirects. */
  url: string;
  /** The language that the page declares; '' without one. */
  language: string;
  /** The texts of paragraphs, list items, rows of tables and so on, with single spaces. Menus are left out. */
  blocks: string[];
  links: PageLink[];
}

export interface PageLink {
  /** Absolute. */
  url: string;
  text: string;
  /** The words of the attribute `rel`, in lower case. */
  rel: string[];
}

/** Limits for pages that never end. Sizes are in characters. */
const maxHtml = 2_000_000;
const maxText = 60_000;
const maxLinks = 3000;
const maxLinkText = 200;
const maxUrl = 2000;
/** A block with more text of links is a menu. */
const maxLinkedShare = 0.75;

/** Elements between whose texts a reader sees a break. Cells of a row stay together. */
const breaks: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br button caption dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr legend li main nav ol option p section summary table tbody thead title tr ul div'
  ).split(' '),
);
const spaces: ReadonlySet<string> = new Set(['td', 'th', 'dd', 'img']);
/** What is no text of the site itself: code, and what it quotes. */
const skipped: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe object textarea select math blockquote q cite'.split(' '),
);
/** What visitors wrote below a page. */
const commentClass =
  /^(?:comments?|commentlist|comment-(?:list|body|content|section|area|text)|comments-(?:area|list|section)|disqus_thread|reviews?|testimonials?)$/;
const commentElements: ReadonlySet<string> = new Set(['section', 'div', 'ol', 'ul', 'li', 'aside', 'article', 'p']);

/**
 * Reads the HTML of a page, as far as the limits of its size allow. Scripts, hidden elements, quotations and comments
 * of visitors are left out.
 */
export async function readContent(url: string, html: AsyncIterable<string> | Iterable<string>): Promise<PageContent> {
  const page: PageContent = { url, language: '', blocks: [], links: [] };
  let [base, block, textLength, htmlLength] = [url, '', 0, 0];
  /** The length of the texts of links in the block. */
  let linked = 0;
  /** Open elements, and the number of them when a left-out part began. */
  let [depth, skippedAt] = [0, 0];
  let link: PageLink | undefined;
  const endBlock = () => {
    // PostgreSQL cannot store every character.
    const text = block.toWellFormed().replaceAll('\0', '').replace(/\s+/g, ' ').trim();
    const isMenu = linked > maxLinkedShare * text.length;
    block = '';
    linked = 0;
    if (text === '' || isMenu || textLength >= maxText) return;
    page.blocks.push(text.slice(0, maxText - textLength));
    textLength += text.length;
  };
  const startLink = ({ href, rel = '' }: Record<string, string>) => {
    if (href === undefined || href.length > maxUrl || page.links.length >= maxLinks || !URL.canParse(href, base))
      return;
    link = { url: new URL(href, base).href, text: '', rel: rel.toLowerCase().split(/\s+/).filter(Boolean) };
    page.links.push(link);
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (skippedAt > 0) return;
      if (name === 'html') page.language = attributes.lang ?? '';
      else if (name === 'base' && attributes.href && URL.canParse(attributes.href, url))
        base = new URL(attributes.href, url).href;
      if (skipped.has(name) || isHidden(attributes) || isComment(name, attributes)) {
        endBlock();
        skippedAt = depth;
      } else if (breaks.has(name)) endBlock();
      else if (spaces.has(name)) block += ' ';
      if (name === 'a' && skippedAt === 0) startLink(attributes);
    },
    ontext(text) {
      if (skippedAt > 0) return;
      block += text;
      if (link) linked += text.trim().length;
      if (link && link.text.length < maxLinkText) link.text += text;
    },
    onclosetag(name) {
      if (depth === skippedAt) skippedAt = 0;
      else if (skippedAt === 0 && breaks.has(name)) endBlock();
      if (name === 'a' && link) {
        link.text = link.text.replace(/\s+/g, ' ').trim();
        link = undefined;
      }
      depth -= 1;
    },
  });
  for await (const part of html) {
    parser.write(part.slice(0, maxHtml - htmlLength));
    htmlLength += part.length;
    if (htmlLength >= maxHtml || textLength >= maxText) break;
  }
  parser.end();
  endBlock();
  return page;
}

const isHidden = ({ hidden, style = '', 'aria-hidden': ariaHidden }: Record<string, string>) =>
  hidden !== undefined || ariaHidden === 'true' || /(?:display:\s*none|visibility:\s*hidden)/i.test(style);

const isComment = (name: string, { id = '', class: classes = '' }: Record<string, string>) =>
  commentElements.has(name) &&
  `${id} ${classes}`
    .toLowerCase()
    .split(/\s+/)
    .some((word) => commentClass.test(word));
