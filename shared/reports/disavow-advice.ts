import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';

const Answer = z.enum(['yes', 'no', 'unsure']);
export type Answer = z.infer<typeof Answer>;

/** The questions that decide whether a website needs a disavow file. */
export const DisavowAnswers = z.object({
  /** Search Console shows a manual action for unnatural links to the website. */
  manualAction: Answer,
  /** The owner, or someone they paid, bought links or took part in link schemes. */
  boughtLinks: Answer,
  /** The traffic from search dropped suddenly. */
  suddenDrop: Answer,
});
export type DisavowAnswers = z.infer<typeof DisavowAnswers>;

export const SavedDisavowAnswers = z.extend(DisavowAnswers, { answeredAt: z.string() });
export type SavedDisavowAnswers = z.infer<typeof SavedDisavowAnswers>;

/**
 * Whether to disavow. The default is no: Google ignores most bad links by itself and recommends the tool only for
 * manual actions, or for paid or spammy links that are likely to cause one (Search Console Help, "Disavow links to your
 * site").
 */
export function toDisavowAdvice({ manualAction, boughtLinks }: DisavowAnswers): 'yes' | 'after removal' | 'no' {
  if (manualAction === 'yes') return 'yes';
  return boughtLinks === 'yes' ? 'after removal' : 'no';
}

export const answerDisavowQuestions = endpoint({
  method: 'PUT',
  path: '/api/profiles/:id/disavow-answers',
  access: 'user',
  summary: 'Save my answers to the questions of "Should I disavow?" for a website',
  params: idParams,
  body: DisavowAnswers,
  responses: { 200: SavedDisavowAnswers },
});
