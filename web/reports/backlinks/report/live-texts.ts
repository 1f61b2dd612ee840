import { type LiveFilter, liveStateTexts } from '#shared/reports/live-links.ts';

/** What a filter by the state of links is called. */
export const liveFilterTexts: Record<LiveFilter, string> = {
  ...liveStateTexts,
  unchecked: 'Links not checked',
  nothingToDo: 'All links gone',
};
