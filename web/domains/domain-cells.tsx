import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Domain } from '#shared/domains.ts';
import { IconButton, iconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './domain-cells.module.css';

/** A domain's name as a link to its details, over the list as it stands. */
export function DomainLink({ id, name }: { id: number; name: string }) {
  return (
    <span className={styles.domain}>
      <Link
        to="."
        search={(before: object) => ({ ...before, domain: id, dialog: undefined })}
        state={{ openedFromList: true }}
        resetScroll={false}
        preload={false}
        className={styles.name}
        title={name}
      >
        {name}
      </Link>
      <span className={styles.copy}>
        <CopyButton value={name} label={`Copy ${name}`} />
      </span>
    </span>
  );
}

/** What an admin does with one row. */
export function DomainActions({ domain, onDelete }: { domain: Domain; onDelete(): void }) {
  return (
    <span className={styles.actions}>
      <Link
        to="."
        search={(before: object) => ({ ...before, dialog: 'edit' as const, domain: domain.id })}
        state={{ openedFromList: true }}
        resetScroll={false}
        preload={false}
        className={iconButton}
        aria-label={`Edit ${domain.domain}`}
        title="Edit"
      >
        <Pencil size={16} aria-hidden />
      </Link>
      <IconButton label={`Delete ${domain.domain}`} title="Delete" className={styles.delete} onClick={onDelete}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </span>
  );
}

// Only admins see sources: nobody else loads their icons.
const SourceLabel = lazy(() => import('./source-label.tsx').then((module) => ({ default: module.SourceLabel })));

/** The sources of a row. */
export function SourceCell({ source }: { source: string | undefined }) {
  return (
    <Suspense fallback={<span data-waiting>{source}</span>}>
      <SourceLabel source={source} />
    </Suspense>
  );
}

/** The selected domains of the page, by their ids. */
export type Selection = Readonly<Record<number, boolean>>;

/** How many of the page are selected, and what follows from a click on one or on all of them. */
export function selectionOf(domains: readonly Domain[], selection: Selection) {
  const count = domains.filter(({ id }) => selection[id]).length;
  return {
    all: count > 0 && count === domains.length,
    some: count > 0 && count < domains.length,
    /** All of the page when none or some are selected, else none. */
    toggleAll: (): Selection =>
      count === domains.length ? {} : Object.fromEntries(domains.map(({ id }) => [id, true])),
    toggle: ({ id }: Domain): Selection => {
      const { [id]: was, ...others } = selection;
      return was ? others : { ...others, [id]: true };
    },
  };
}

/** What stands where a table has no value. */
export const missing = 'N/A';

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** The cost as people wrote it, without the quotes that a file put around it. */
export function formatCost(cost: string | null): string {
  const bare = cost
    ?.trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  return bare ? bare : missing;
}

/** A day without a time, `2026-01-05`, as 'Jan 5, 2026'. */
export function formatDay(day: string): string {
  return days.format(new Date(day));
}
