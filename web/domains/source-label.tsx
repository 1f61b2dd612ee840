import { Bot, BriefcaseBusiness, Layers, type LucideIcon, PenLine, Store, Users, VenetianMask } from 'lucide-react';
import { missing } from './domain-cells.tsx';
import styles from './source-label.module.css';

const kinds: Record<SourceKind, { icon: LucideIcon; word: string }> = {
  manual: { icon: PenLine, word: 'Added by hand' },
  crawler: { icon: Bot, word: 'Found by a crawler' },
  community: { icon: Users, word: 'Named by the community' },
  fiverr: { icon: BriefcaseBusiness, word: 'Fiverr' },
  blackhatworld: { icon: VenetianMask, word: 'BlackHatWorld' },
  multiple: { icon: Layers, word: 'Multiple marketplaces' },
  other: { icon: Store, word: 'Marketplace' },
};

/** The sources of a row on one line, with the icon of their kind. */
export function SourceLabel({ source }: { source: string | undefined }) {
  if (!source) return <span className={styles.missing}>{missing}</span>;
  const names = sourceNames(source).join(', ');
  return (
    <span className={styles.label} title={names}>
      <SourceIcon source={source} />
      <span className={styles.names}>{names}</span>
    </span>
  );
}

/** Every source by itself, each with its icon. */
export function SourceList({ source }: { source: string | undefined }) {
  const names = sourceNames(source ?? '');
  if (names.length === 0) return 'No source available';
  return (
    <span className={styles.list}>
      {names.map((name) => (
        <span key={name} className={styles.chip}>
          <SourceIcon source={name} />
          {name}
        </span>
      ))}
    </span>
  );
}

function SourceIcon({ source }: { source: string }) {
  const { icon: Icon, word } = kinds[sourceKind(source)];
  return <Icon size={15} className={styles.icon} role="img" aria-label={word} />;
}

const sourceKinds = ['manual', 'crawler', 'community', 'fiverr', 'blackhatworld', 'multiple', 'other'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** What kind of source a cell names; several, joined by commas, mean multiple marketplaces. */
export function sourceKind(source: string): SourceKind {
  if (sourceNames(source).length > 1) return 'multiple';
  const word = source
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/com$/, '');
  return sourceKinds.find((kind) => kind === word) ?? 'other';
}

function sourceNames(source: string): string[] {
  return source
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
