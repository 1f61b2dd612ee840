export const sourceKinds = ['manual', 'crawler', 'community', 'fiverr', 'blackhatworld', 'multiple', 'other'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What kind of source a cell names; several, joined by commas, mean multiple marketplaces. */
export function sourceKind(source: string): SourceKind {
  if (sourceNames(source).length > 1) return 'multiple';
  const word = source
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/com$/, '');
  return sourceKinds.find((kind) => kind === word) ?? 'other';
}

export function sourceNames(source: string): string[] {
  return source
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
