import type { Context } from '../../context.ts';
import { decide } from '../../reports/decisions/decisions.ts';
import { addDisavowFile } from '../../reports/disavow-files/disavow-files.ts';
import { saveDisavowAnswers } from '../../reports/websites/websites.ts';
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
  { websiteId, reportId }: { websiteId: number; reportId: number },
  agoMs: number,
): Promise<void> {
  const names = await listReportDomains(context.db, reportId);
  const reviewed = names.slice(0, Math.ceil((2 * names.length) / 3));
  const now = () => new Date(context.now().getTime() - agoMs);
  const choose = (index: number) => (index % 5 === 3 ? 'keep' : index % 6 === 1 ? 'remove' : 'disavow');
  for (const decision of ['keep', 'remove', 'disavow'] as const) {
    const domains = reviewed.filter((_, index) => choose(index) === decision);
    if (domains.length > 0) await decide({ ...context, now }, { userId, websiteId }, { domains, decision });
  }
  const removed = reviewed.filter((_, index) => choose(index) === 'remove');
  const asked = removed.slice(0, Math.ceil(removed.length / 2));
  if (asked.length > 0) await decide({ ...context, now }, { userId, websiteId }, { domains: asked, asked: true });
  for (const [index, note] of notes.entries()) {
    const at = index * 5 + 1;
    const domain = reviewed[at];
    if (domain)
      await decide({ ...context, now }, { userId, websiteId }, { domains: [domain], decision: choose(at), note });
  }
}

/**
 * Uploads two disavow files that an earlier agency made for a website, and answers the questions of "Should I
 * disavow?". The later file has a listed domain that the user keeps, lines that repeat others, and mistakes that Google
 * ignores.
 */
export async function fillDisavowFiles(
  context: Context,
  userId: number,
  { websiteId, reportId }: { websiteId: number; reportId: number },
): Promise<void> {
  const names = await listReportDomains(context.db, reportId);
  const listed = names.filter((_, index) => index % 4 === 0).map((name) => `domain:${name}`);
  const comment = (month: string) => `# Disavow file of garden-tools.example, by the former agency, ${month}`;
  const first = [comment('November 2023'), ...listed.slice(0, 12), 'domain:closed-directory.example'];
  const second = [
    comment('May 2024'),
    ...listed,
    `domain:www.${names[4] ?? ''}`,
    `domain:blog.${names[0] ?? ''}`,
    '# Found by hand',
    'domain:*.free-directory.example',
    'http://forum.old-hobbies.example/thread/4711',
    'cheap-links.example',
    'domain:wikipedia.org',
    `domain:${names[3] ?? ''}`,
  ];
  for (const [fileName, lines] of [
    ['disavow-2023-11.txt', first],
    ['disavow-2024-05.txt', second],
  ] as const) {
    const file = await context.files.save(`${lines.join('\r\n')}\r\n`);
    await addDisavowFile(context, { userId, websiteId }, { ...file, fileName }, new AbortController().signal);
    await context.files.remove(file.path);
  }
  const answers = { manualAction: 'no', boughtLinks: 'yes', suddenDrop: 'no' } as const;
  await saveDisavowAnswers(context, userId, websiteId, answers);
}
