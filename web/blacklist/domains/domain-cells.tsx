import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { Domain } from '#shared/blacklist/domains.ts';
import { IconButton, iconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './domain-cells.module.css';

/** A domain name that links to its details. They open in a dialog over the current list. */
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
        data-row={id}
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

/** The Edit and Delete buttons of a row, for admins. */
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

/** Shown in place of a missing value. */
export const missing = 'N/A';

/** The cost as entered, without surrounding quotes; 'N/A' if empty. */
export function formatCost(cost: string | null): string {
  const bare = cost
    ?.trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  return bare ? bare : missing;
}
