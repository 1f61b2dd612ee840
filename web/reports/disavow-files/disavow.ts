import type { toDisavowAdvice } from '#shared/reports/disavow-advice.ts';

/** The advice of "Should I disavow?" in a few words. */
export const adviceTitles: Record<ReturnType<typeof toDisavowAdvice>, string> = {
  yes: 'Yes, for links that you cannot get removed.',
  'after removal': 'Ask for removal first.',
  no: 'No.',
};
