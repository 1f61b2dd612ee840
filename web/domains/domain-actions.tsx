import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { Domain } from '#shared/domains.ts';
import { IconButton, iconButton } from '../ui/icon-button.tsx';
import styles from './domain-actions.module.css';

/** What an admin does with one row. */
export function DomainActions({ domain, onDelete }: { domain: Domain; onDelete(): void }) {
  return (
    <span className={styles.actions}>
      <Link
        to="."
        search={(before: object) => ({ ...before, dialog: 'edit' as const, domain: domain.id })}
        state={{ overList: true }}
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
