import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { Domain } from '#shared/domains.ts';
import styles from './domain-actions.module.css';

/** What an admin does with one row. */
export function DomainActions({ domain, onDelete }: { domain: Domain; onDelete(): void }) {
  return (
    <span className={styles.actions}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Edit ${domain.domain}`}
        title="Edit"
        renderRoot={(props) => (
          <Link
            {...props}
            to="."
            search={(before: object) => ({ ...before, dialog: 'edit', domain: domain.id })}
            state={{ overList: true }}
            resetScroll={false}
            preload={false}
          />
        )}
      >
        <Pencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.delete}
        aria-label={`Delete ${domain.domain}`}
        title="Delete"
        onClick={onDelete}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </span>
  );
}
