import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import { kindLabels } from './listings.tsx';

/** What a listing by a source of a kind proves. */
export const kindMeanings: Record<SourceKind, string> = {
  inventory: 'A marketplace or seller offers links on the domain. With a price or an evidence URL, this confirms it.',
  submission:
    'A user submitted the domain, and an admin verified it. With a price or an evidence URL, this confirms it.',
  manual: 'An admin added or imported the domain. This alone is not proof.',
  disavow: "A website owner's disavow file contains the domain. This alone is not proof.",
  list: 'A public blocklist contains the domain. This alone is not proof.',
};

/** Strongest first. */
export const kindOptions = sourceKinds.map((value) => ({ value, label: kindLabels[value] }));
