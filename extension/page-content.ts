/** A host that a page links to. */
export interface PageLink {
  host: string;
  /** How many links lead to the host. */
  count: number;
  /** The first link. */
  url: string;
  text: string;
  /** Whether a link has none of `nofollow`, `sponsored` and `ugc`. */
  isFollowed: boolean;
}

export interface PageContent {
  /** The outgoing links by host, in the order of the page. */
  links: PageLink[];
  /** Hosts in links, and texts on the page that look like domain names, as marketplaces list them. */
  names: string[];
  /** How many of each the page has. Only the first `maxHosts` are returned. */
  totals: { links: number; names: number };
}

/** Each host costs one or more of the 1,200 requests that the server allows per minute. */
export const maxHosts = 400;
const maxTextLength = 200;
/** Long texts are articles, not offers. */
const maxNodeLength = 2000;
const name =
  /(?<![\p{L}\p{N}_@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.){1,5}[\p{L}]{2,24}(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/gu;
const skipped = 'script,style,noscript,textarea,input,select,code,pre,linksieve-mark';

/** Where a name is on the page: the mark is placed after the node. */
export interface Place {
  name: string;
  node: ChildNode;
  /** Whether the node shows more than the name, so that the mark must repeat it. */
  hasMore: boolean;
}

/** Collects the links of a page to other hosts, and all names on it. */
export function collectContent(page: Document): PageContent {
  const links = new Map<string, PageLink>();
  for (const { host, link } of listOutgoing(page)) {
    const known = links.get(host);
    const isFollowed = !/\b(?:nofollow|sponsored|ugc)\b/i.test(link.rel);
    if (known) {
      known.count += 1;
      known.isFollowed ||= isFollowed;
    } else {
      const text = link.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, maxTextLength);
      links.set(host, { host, count: 1, url: link.href, text, isFollowed });
    }
  }
  const names = new Set(findPlaces(page).map((place) => place.name));
  return {
    links: [...links.values()].slice(0, maxHosts),
    names: [...names].slice(0, maxHosts),
    totals: { links: links.size, names: names.size },
  };
}

function listOutgoing(page: Document): { host: string; link: HTMLAnchorElement }[] {
  const own = page.location.hostname.replace(/^www\./, '');
  return [...page.querySelectorAll<HTMLAnchorElement>('a[href]')].flatMap((link) => {
    const url = URL.parse(link.href);
    const host = url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/^www\./, '') : undefined;
    return host === undefined || host === own || host.endsWith(`.${own}`) ? [] : [{ host, link }];
  });
}

/** Finds the names on a page: hosts of outgoing links, and names in texts. Each is found once per node. */
export function findPlaces(page: Document): Place[] {
  const places: Place[] = listOutgoing(page).map(({ host, link }) => ({
    name: host,
    node: link,
    hasMore: !link.textContent.toLowerCase().includes(host),
  }));
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    const parent = node.parentElement;
    if (!text.includes('.') || text.length > maxNodeLength || !parent || parent.closest(`${skipped},a[href]`)) continue;
    const found = new Set(Array.from(text.matchAll(name), ([match]) => match.toLowerCase().replace(/^www\./, '')));
    for (const one of found) {
      places.push({ name: one, node: node as Text, hasMore: text.trim().toLowerCase() !== one });
    }
  }
  return places;
}
