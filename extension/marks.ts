import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { Listing } from '../lookup/lookup.ts';
import { describeListing, describeRisk } from './texts.ts';

const tagName = 'linksieve-mark';

export const isMark = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && node.localName === tagName;

/**
 * Marks a listed name with its risk, as a link to the page of the domain. A name that has a mark gets no other one.
 * @param node the mark is placed after it
 * @param label what to show instead of the risk alone
 * @returns the new mark, if there is one
 */
export function addMark(
  node: ChildNode,
  listing: Listing,
  origin: string,
  label = describeRisk(listing),
): HTMLElement | undefined {
  let last: ChildNode = node;
  while (isMark(last.nextSibling)) {
    last = last.nextSibling;
    if (isMark(last) && last.dataset.domain === listing.domain) return undefined;
  }
  const mark = createMark(listing, origin, label);
  last.after(mark);
  return mark;
}

/** The styles of the page do not reach the mark, and its scripts cannot read the address of the installation. */
function createMark(listing: Listing, origin: string, label: string): HTMLElement {
  const mark = document.createElement(tagName);
  mark.dataset.domain = listing.domain;
  const link = document.createElement('a');
  link.href = origin + toDomainPage(listing.domain);
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.referrerPolicy = 'no-referrer';
  link.textContent = label;
  link.title = `${describeListing(listing)}. Linksieve`;
  link.setAttribute('aria-label', `${describeListing(listing)}. Open its page on Linksieve`);
  link.dataset.level = listing.riskLevel;
  const sheet = document.createElement('style');
  sheet.textContent = styles;
  mark.attachShadow({ mode: 'closed' }).append(sheet, link);
  return mark;
}

const styles = `
:host { all: initial; display: inline-block; margin: 0 6px; vertical-align: middle; }
a {
  display: inline-block; padding: 1px 9px; border: 1px solid; border-radius: 999px;
  font: 600 12px/18px system-ui, sans-serif; white-space: nowrap; text-decoration: none;
}
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid #2d456b; outline-offset: 2px; }
a[data-level='low'] { background: #eceef1; border-color: #bcc4ce; color: #435068; }
a[data-level='medium'] { background: #f8efdf; border-color: #e2c48f; color: #6f4300; }
a[data-level='high'] { background: #f9e7e5; border-color: #e6a39c; color: #9e2219; }
a[data-level='very high'] { background: #6e1220; border-color: #6e1220; color: #fff; }
@media (prefers-color-scheme: dark) {
  a:focus-visible { outline-color: #f0b04a; }
  a[data-level='low'] { background: #28323f; border-color: #4d5a6b; color: #c3cedd; }
  a[data-level='medium'] { background: #352f25; border-color: #735a2c; color: #f3cf86; }
  a[data-level='high'] { background: #38282f; border-color: #7b4a45; color: #ffb5a6; }
  a[data-level='very high'] { background: #8c1a35; border-color: #8c1a35; }
}
`;
