import { sourceKinds } from '#shared/choices.ts';
import type { SourceKind } from '#shared/sources.ts';

/** The names of the kinds, and what a listing by such a source proves. */
export const kinds: Record<SourceKind, { label: string; meaning: string }> = {
  inventory: {
    label: 'Inventory',
    meaning: 'A marketplace or seller offers links on the domain. With a price or an evidence URL, this confirms it.',
  },
  submission: {
    label: 'Submission',
    meaning: 'An admin verified what a user submitted. With a price or an evidence URL, this confirms the domain.',
  },
  manual: { label: 'Manual', meaning: 'Someone added the domain by hand. Proves nothing alone.' },
  disavow: { label: 'Disavow file', meaning: 'The owner of a website disavowed the domain. Proves nothing alone.' },
  list: { label: 'Public list', meaning: 'A public blocklist contains the domain. Proves nothing alone.' },
};

/** Strongest first. */
export const kindOptions = sourceKinds.map((value) => ({ value, label: kinds[value].label }));
