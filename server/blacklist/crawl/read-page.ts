import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import type { PageResponse } from './crawler.ts';

/** A link of a page. */
export interface PageLink {
  url: URL;
  /** Lower case. */
  rel: string[];
  /** Up to 200 characters. */
  anchor: string;
  /** The text around the link, up to 300 characters. */
  sentence: string;
}

/** What a page says, without the page itself. */
export interface PageFacts {
  /** Whether the whole page was read. */
  isComplete: boolean;
  /** The wanted links, at most `maxLinks`. */
  links: PageLink[];
  noindex: boolean;
  nofollow: boolean;
  /** Characters of visible text, without repeated white space. */
  textLength: number;
  scripts: number;
  /** SHA-256 of the visible text. */
  textHash: Buffer;
}

interface ReadOptions {
  /** Which links are returned. */
  wantsLink(url: URL): boolean;
  /** Called with parts of the visible text in order, for other questions about the page. */
  onText?(text: string): void;
}

const maxLinks = 50;
const maxAnchor = 200;
export const maxSentence = 300;
/** A block without an end is cut here. */
const maxBlock = 4000;
const blocks: ReadonlySet<string> = new Set(
  `address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
  h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);
/** Elements whose content nobody sees. */
const invisible: ReadonlySet<string> = new Set(['script', 'style', 'template', 'head', 'title', 'svg', 'iframe']);

/**
 * Reads a page while it arrives. Nothing is rendered and no script runs. Text and links that a visitor would not see
 * only because of a style sheet count as seen.
 */
export async function readPage(page: PageResponse, { wantsLink, onText }: ReadOptions): Promise<PageFacts> {
  const links: PageLink[] = [];
  const header = readRobotsRules([page.headers['x-robots-tag'] ?? []].flat().join(', '));
  const hash = createHash('sha256');
  let { noindex, nofollow } = header;
  let base = page.url;
  let hasBase = false;
  let scripts = 0;
  let textLength = 0;
  let hidden = 0;
  /** The visible text of the current block. */
  let block = '';
  /** Links of the current block, with the positions of their text in it. */
  let pending: (PageLink & { from: number; to: number })[] = [];
  let open: { url: URL; rel: string[]; from: number } | undefined;

  const closeLink = () => {
    if (open && links.length + pending.length < maxLinks) {
      const { url, rel, from } = open;
      const anchor = block.slice(from).trim().slice(0, maxAnchor);
      pending.push({ url, rel, anchor, sentence: '', from, to: block.length });
    }
    open = undefined;
  };
  const closeBlock = () => {
    closeLink();
    for (const { from, to, ...link } of pending) links.push({ ...link, sentence: cutAround(block, from, to) });
    pending = [];
    const text = block.trim();
    block = '';
    if (text === '') return;
    textLength += text.length;
    hash.update(`${text}\n`);
    onText?.(text);
  };
  /** An `a` element may contain blocks. Its text is then that of the first one. */
  const addText = (text: string) => {
    const next = text.replace(/\s+/g, ' ');
    block += block === '' || block.endsWith(' ') ? next.trimStart() : next;
    if (block.length > maxBlock) closeBlock();
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'script') scripts += 1;
        if (invisible.has(name)) hidden += 1;
        if (name === 'base' && !hasBase && attributes.href && URL.canParse(attributes.href, page.url)) {
          base = new URL(attributes.href, page.url).href;
          hasBase = true;
        }
        if (name === 'meta' && /^(robots|googlebot)$/i.test(attributes.name ?? '')) {
          const rules = readRobotsRules(attributes.content ?? '');
          noindex ||= rules.noindex;
          nofollow ||= rules.nofollow;
        }
        if (blocks.has(name) && !open) closeBlock();
        if (hidden > 0) return;
        if (name === 'img' && open && attributes.alt) addText(attributes.alt);
        if (name !== 'a' && name !== 'area') return;
        closeLink();
        const href = attributes.href?.trim();
        if (!href || !URL.canParse(href, base)) return;
        const url = new URL(href, base);
        if (!wantsLink(url)) return;
        const rel = (attributes.rel ?? '').toLowerCase().split(/\s+/).filter(Boolean);
        open = { url, rel, from: block.length };
        if (name === 'area') {
          addText(attributes.alt ?? '');
          closeLink();
        }
      },
      ontext(text) {
        if (hidden === 0) addText(text);
      },
      onclosetag(name) {
        if (invisible.has(name)) hidden -= 1;
        if (name === 'a') closeLink();
        if (blocks.has(name) && !open) closeBlock();
      },
    },
    { decodeEntities: true },
  );
  for await (const text of page.body) parser.write(text);
  parser.end();
  closeBlock();
  return {
    isComplete: page.getEnd() === 'complete',
    links,
    noindex,
    nofollow,
    textLength,
    scripts,
    textHash: hash.digest(),
  };
}

/** Reads the rules of a robots meta element or X-Robots-Tag header. Only those for all crawlers and Googlebot count. */
function readRobotsRules(text: string): { noindex: boolean; nofollow: boolean } {
  let crawler = '';
  let [noindex, nofollow] = [false, false];
  for (const part of text.toLowerCase().split(',')) {
    const [, name, rule = ''] = /^\s*(?:([\w-]+)\s*:)?\s*([\w-]*)/.exec(part) ?? [];
    if (name && !/^(max-|unavailable)/.test(name)) crawler = name;
    if (crawler !== '' && crawler !== 'googlebot') continue;
    noindex ||= rule === 'noindex' || rule === 'none';
    nofollow ||= rule === 'nofollow' || rule === 'none';
  }
  return { noindex, nofollow };
}

/** Returns up to `maxSentence` characters of a text around a part of it: its sentence, if that is not longer. */
export function cutAround(text: string, from: number, to: number): string {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('! '), before.lastIndexOf('? ')) + 1;
  const end = /[.!?](\s|$)/.exec(after)?.index;
  const sentence = text.slice(start, to + (end === undefined ? after.length : end + 1)).trim();
  if (sentence.length <= maxSentence) return sentence;
  const room = Math.max(0, maxSentence - (to - from));
  return text
    .slice(Math.max(0, from - Math.floor(room / 2)), from + Math.ceil(room / 2) + (to - from))
    .trim()
    .slice(0, maxSentence);
}
