import type { Context } from '../context.ts';
import { decide } from '../decisions/decisions.ts';
import { listReportDomains } from './store.ts';

/** The notes that the user of the demo wrote about some domains. */
const notes = [
  'Asked the owner to remove the link. No answer yet.',
  'The footer says "sponsored posts welcome".',
  'Real trade magazine. We paid for an ad here, and the link is nofollow.',
  'Same theme and same author as three other sites in this list.',
];

/**
 * Fills in the decisions about a report of one month ago: two thirds of its domains are decided, and about a fifth of
 * these are kept.
 */
export async function fillDecisions(
  context: Context,
  userId: number,
  { profileId, reportId }: { profileId: number; reportId: number },
  agoMs: number,
): Promise<void> {
  const names = await listReportDomains(context.db, reportId);
  const reviewed = names.slice(0, Math.ceil((2 * names.length) / 3));
  const now = () => new Date(context.now().getTime() - agoMs);
  const choose = (index: number) => (index % 5 === 3 ? 'keep' : index % 6 === 1 ? 'remove' : 'disavow');
  for (const decision of ['keep', 'remove', 'disavow'] as const) {
    const domains = reviewed.filter((_, index) => choose(index) === decision);
    if (domains.length > 0) await decide({ ...context, now }, userId, profileId, { domains, decision });
  }
  for (const [index, note] of notes.entries()) {
    const at = index * 5 + 1;
    const domain = reviewed[at];
    if (domain) await decide({ ...context, now }, userId, profileId, { domains: [domain], decision: choose(at), note });
  }
}
