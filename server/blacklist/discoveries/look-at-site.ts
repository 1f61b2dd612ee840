import { readContent } from './page-content.ts';
import { listPagesWorthVisiting, type Offer, recognizeOffer, siteOf } from './recognize.ts';

/** The answer to a visit, as far as it is needed here. */
export type SeenPage =
  | { kind: 'page' /** After redirects. */; url: string; status: number; body: AsyncIterable<string>; close(): void }
  | { kind: 'blocked' | 'unreachable' | 'redirect'; reason: string };

/** Visits one page, politely: see docs/live-pages.md. */
export type VisitPage = (url: string) => Promise<SeenPage>;

export interface Sighting {
  /** Undefined if the site makes none, or could not be read. */
  offer: Offer | undefined;
  /** The pages that were read. */
  pages: number;
  /** Why the home page was not read. */
  problem?: string;
}

/**
 * Looks at the home page of a site, and at its pages for advertisers and authors, until one names a price. Pages that
 * lead to another site belong to that one, and are left out.
 */
export async function lookAtSite(domain: string, visit: VisitPage): Promise<Sighting> {
  const site = siteOf(`https://${domain}/`);
  const read = async (url: string) => {
    const seen = await visit(url);
    if (seen.kind !== 'page') return seen.reason;
    if (seen.status !== 200) {
      seen.close();
      return `status ${seen.status}`;
    }
    if (siteOf(seen.url) !== site) {
      seen.close();
      return `redirects to ${siteOf(seen.url)}`;
    }
    return await readContent(seen.url, seen.body);
  };
  const home = await read(`https://${domain}/`);
  if (typeof home === 'string') return { offer: undefined, pages: 0, problem: home };
  let offer = recognizeOffer(home);
  let pages = 1;
  for (const url of listPagesWorthVisiting(home)) {
    if (offer && offer.price !== null) break;
    const page = await read(url);
    if (typeof page === 'string') continue;
    pages += 1;
    const found = recognizeOffer(page);
    if (found && (!offer || found.price !== null)) offer = found;
  }
  // The contact page is in the menu of the home page, wherever the offer is.
  return { offer, pages };
}
