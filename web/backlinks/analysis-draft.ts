import type { Profile } from '#shared/profiles.ts';
import { websiteName } from './referring-page.ts';

/** What the analyze dialog holds; it outlives the dialog, so that a refused file stays chosen. */
export interface AnalysisDraft {
  mode: 'new' | 'existing';
  /** The new website's name as typed. */
  domain: string;
  /** The website of the 'Existing Website' tab. */
  profileId: number | null;
  file: File | null;
}

export const emptyDraft: AnalysisDraft = { mode: 'new', domain: '', profileId: null, file: null };

/** Whether the draft names both a website and a file. */
export function isComplete(draft: AnalysisDraft): boolean {
  return draft.file !== null && (draft.mode === 'new' ? draft.domain.trim() !== '' : draft.profileId !== null);
}

/** The website that the draft is about, for sentences; empty when none is named. */
export function websiteOf(draft: AnalysisDraft, profiles: readonly Profile[]): string {
  if (draft.mode === 'new') return websiteName(draft.domain);
  return profiles.find((profile) => profile.id === draft.profileId)?.domain ?? '';
}
