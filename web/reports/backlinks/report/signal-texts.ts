import type { Signal, SignalExample } from '#shared/reports/signals.ts';
import { formatCount, plural } from '../../../platform/format.ts';

interface SignalText {
  name: string;
  /** What the pattern is, in a sentence. */
  meaning: string;
  /** The data it needs, in a list after "Not in this export:". */
  needs: string;
}

export const signalTexts: Record<Signal, SignalText> = {
  repeatedAnchors: {
    name: 'Repeated anchors',
    meaning: 'Many domains link with exactly the same words, which are not your name or address.',
    needs: 'anchors',
  },
  linkBursts: {
    name: 'Bursts of new links',
    meaning: 'In a single week, far more domains linked for the first time than usual.',
    needs: 'dates of first links',
  },
  sitewideLinks: {
    name: 'Sitewide links',
    meaning: 'The same link is on many pages of a domain, for example in its footer.',
    needs: 'sitewide links',
  },
  linkFarmPages: {
    name: 'Pages with many outgoing links',
    meaning: 'Pages that almost nobody visits have more than 100 outgoing links.',
    needs: 'outgoing links with page traffic',
  },
  sharedTitles: {
    name: 'Shared titles or authors',
    meaning: 'Pages on several domains have the same title or the same author.',
    needs: 'page titles and authors',
  },
  sharedNetworks: {
    name: 'Shared networks',
    meaning: 'Several domains are on the same server or in the same small network.',
    needs: 'IP addresses',
  },
};

/** The text of an example: what comes before and after the value, which can be empty. */
export function describeExample({ kind, text, count, usual }: SignalExample): { before: string; after: string } {
  const domains = plural(count, 'domain');
  switch (kind) {
    case 'anchor':
      return { before: `“${text}”`, after: `on ${domains}` };
    case 'title':
      return { before: `Title “${text}”`, after: `on ${domains}` };
    case 'author':
      return { before: `Author “${text}”`, after: `on ${domains}` };
    case 'week':
      return { before: '', after: `${plural(count, 'new domain')}, usually ${formatCount(usual ?? 0)} a week` };
    case 'links':
      return {
        before: plural(count, 'link'),
        after: text === '' ? 'without an anchor text' : `with the anchor “${text}”`,
      };
    case 'page':
      return { before: '', after: `has ${formatCount(count)} outgoing links` };
    case 'address':
    case 'network':
      return { before: '', after: domains };
  }
}
