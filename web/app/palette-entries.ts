import type { LucideIcon } from 'lucide-react';

/** One line of the command palette. */
export interface PaletteEntry {
  group: 'Blacklist' | 'Pages' | 'My websites' | 'Theme' | 'More';
  label: string;
  Icon: LucideIcon;
  run: () => void;
  /** Further words by which it is found. */
  words?: string;
  /** Made from what is typed: found whatever that is. */
  typed?: boolean;
  /** Whether it is how things are already. */
  checked?: boolean;
}

/** The entries that have every word of the query, in their order. */
export function matching(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/);
  return entries.filter(({ group, label, words: more = '', typed }) => {
    const text = `${label} ${group} ${more}`.toLowerCase();
    return typed || words.every((word) => text.includes(word));
  });
}

/** The entries below the names of their groups, each with its place in the whole list. */
export function groupsOf(
  entries: readonly PaletteEntry[],
): [name: string, entries: (PaletteEntry & { at: number })[]][] {
  const groups = new Map<string, (PaletteEntry & { at: number })[]>();
  for (const name of new Set(entries.map(({ group }) => group))) groups.set(name, []);
  let at = 0;
  for (const [name, group] of groups) {
    for (const entry of entries) {
      if (entry.group === name) group.push({ ...entry, at: at++ });
    }
  }
  return [...groups];
}
