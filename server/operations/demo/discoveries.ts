import { decideDiscovery, listDiscoveries, want } from '../../blacklist/discoveries/discoveries.ts';
import type { SeenPage } from '../../blacklist/discoveries/look-at-site.ts';
import { visitWanted, wantCandidates } from '../../blacklist/discoveries/visit-sites.ts';
import type { Context } from '../../context.ts';
import { type Identity, noAudit } from '../../platform/http/scope.ts';

const hour = 3_600_000;

/** What sites say on their page for advertisers. Other sites do not respond. */
const offers: Readonly<Record<string, string>> = {
  'alpine-hiking-diary.example':
    '<p>We publish sponsored posts with two dofollow links for €95.</p><a href="https://shop.example" rel="sponsored">Partner</a>' +
    '<a href="https://maps.example">Map</a>',
  'garten-und-mehr.example': '<p>Ein gesponserter Beitrag kostet 140 Euro, der Link bleibt dauerhaft online.</p>',
  'la-cuisine-du-dimanche.example':
    '<p>Nous proposons aux marques la publication d’articles sponsorisés avec lien vers leur site.</p><p>Demandez-nous nos tarifs.</p>',
  'finanse-na-co-dzien.example':
    '<table><tr><td>Artykuł sponsorowany z linkiem dofollow</td><td>350 zł</td></tr></table>',
  'weekend-traveler.example':
    '<p>Buy a permanent link on our home page for $150, or two links in an older article for $90.</p>',
  'quick-tech-tips.example': '<p>Guest posts with backlinks are available on our site for $40.</p>',
  'casino-bonus-news.example': '<p>We sell dofollow links on our blog, 120 USD per link.</p>',
  'slow-bread-baking.example': '<p>We do not sell links, and we never will. Please stop asking.</p>',
};
const home = '<p>Welcome!</p><a href="/advertise">Advertise</a>';

/** Visits made-up pages, and decides about two of them. Nothing is requested. */
export async function fillDiscoveries(context: Context, admin: Identity): Promise<void> {
  await context.db.transaction().execute((trx) => want(context, trx, Object.keys(offers)));
  // Once an admin turns visits on, none of the demo's own candidates is left.
  await wantCandidates(context);
  let visits = 0;
  // Each site was visited at another time.
  const now = () => new Date(context.now().getTime() - (visits++ % 40) * hour);
  await visitWanted({ ...context, now }, (url) => Promise.resolve(visit(url)), new AbortController().signal);
  const { discoveries } = await listDiscoveries(context, { status: 'proposed', page: 0, pageSize: 100 });
  const decide = async (domain: string, status: 'accepted' | 'rejected') => {
    const found = discoveries.find((discovery) => discovery.domain === domain);
    if (found) await decideDiscovery(context, found.id, status, { admin, audit: noAudit });
  };
  await decide('casino-bonus-news.example', 'accepted');
  await decide('quick-tech-tips.example', 'rejected');
}

function visit(url: string): SeenPage {
  const { hostname, pathname } = new URL(url);
  const offer = offers[hostname];
  if (offer === undefined) return { kind: 'unreachable', reason: 'no response' };
  return {
    kind: 'page',
    url,
    status: 200,
    body: (async function* () {
      yield pathname === '/' ? home : `${offer}<a href="/contact">Contact</a>`;
    })(),
    close: () => undefined,
  };
}
