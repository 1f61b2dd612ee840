import { Bot, BriefcaseBusiness, Layers, type LucideIcon, PenLine, Store, Users, VenetianMask } from 'lucide-react';
import { missing } from './domain-cells.tsx';
import styles from './source-label.module.css';

const kinds: Record<SourceKind, { icon: LucideIcon; label: string }> = {
  manual: { icon: PenLine, label: 'Added manually' },
  crawler: { icon: Bot, label: 'Found by a crawler' },
  community: { icon: Users, label: 'Reported by the community' },
  fiverr: { icon: BriefcaseBusiness, label: 'Fiverr' },
  blackhatworld: { icon: VenetianMask, label: 'BlackHatWorld' },
  multiple: { icon: Layers, label: 'Multiple marketplaces' },
  other: { icon: Store, label: 'Marketplace' },
};

/** The sources of a domain on one line, with the icon of their kind. */
export function SourceLabel({ source }: { source: string | undefined }) {
  if (!source) return <span data-quiet>{missing}</span>;
  const names = sourceNames(source).join(', ');
  return (
    <span className={styles.label} title={names}>
      <SourceIcon source={source} />
      <span className={styles.names}>{names}</span>
    </span>
  );
}

/** The sources of a domain, each with its own icon. */
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
  const { icon: Icon, label } = kinds[sourceKind(source)];
  return <Icon size={15} className={styles.icon} role="img" aria-label={label} />;
}

const sourceKinds = ['manual', 'crawler', 'community', 'fiverr', 'blackhatworld', 'multiple', 'other'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** The kind of a source. Several sources, separated by commas, are of the kind `multiple`. */
export function sourceKind(source: string): SourceKind {
  if (sourceNames(source).length > 1) return 'multiple';
  const bareName = source
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/com$/, '');
  return sourceKinds.find((kind) => kind === bareName) ?? 'other';
}

function sourceNames(source: string): string[] {
  return source
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
