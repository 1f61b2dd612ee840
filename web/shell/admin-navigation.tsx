import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown, Menu } from 'lucide-react';
import { type FocusEvent, useId, useRef, useState } from 'react';
import type { AdminStatus } from '#shared/operations/admin.ts';
import {
  type AdminEntry,
  adminGroups,
  findAdminEntry,
  toAdminLink,
  useAdminStatus,
} from '../operations/admin/admin.ts';
import { formatCount } from '../platform/format.ts';
import { useKeydown } from '../platform/keys.ts';
import hidden from '../ui/hidden.module.css';
import styles from './admin-navigation.module.css';

/**
 * The links to all admin screens with their pending work: beside the screen, or in a menu above it on narrow screens.
 */
export function AdminNavigation() {
  const status = useAdminStatus();
  const current = findAdminEntry(useLocation());
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();

  const close = () => {
    setOpen(false);
    // On wide screens the button is hidden, so the focus stays on the link.
    toggle.current?.focus();
  };
  useKeydown((event) => {
    if (isOpen && event.key === 'Escape') close();
  });
  const closeWhenLeft = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };

  return (
    <nav aria-label="Admin" className={styles.navigation} onBlur={closeWhenLeft}>
      <button
        ref={toggle}
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={`${id}-menu`}
        onClick={() => setOpen(!isOpen)}
      >
        <Menu size={16} aria-hidden />
        <span className={hidden.hidden}>Admin menu: </span>
        <span className={styles.label}>{current?.label}</span>
        {status && <Count count={countAll(status)} word="waiting in total" />}
        <ChevronDown size={16} aria-hidden />
      </button>
      {/* Takes the focus of a press between two links, so that the menu stays open. */}
      <div id={`${id}-menu`} className={styles.menu} data-open={isOpen || undefined} tabIndex={-1}>
        {adminGroups.map(({ name, entries }, index) => (
          <div key={name ?? 'top'}>
            {name && (
              <p id={`${id}-${index}`} className={styles.name}>
                {name}
              </p>
            )}
            <ul aria-labelledby={name && `${id}-${index}`}>
              {entries.map((entry) => (
                <li key={entry.label}>
                  <Link
                    {...toAdminLink(entry)}
                    activeOptions={{ exact: true }}
                    aria-current={entry === current ? 'page' : undefined}
                    className={styles.link}
                    onClick={close}
                  >
                    <entry.Icon size={16} aria-hidden />
                    <span className={styles.label}>{entry.label}</span>
                    {status && <EntryCount entry={entry} status={status} />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

const countAll = (status: AdminStatus): number =>
  adminGroups.flatMap(({ entries }) => entries).reduce((sum, { count }) => sum + (count?.(status) ?? 0), 0);

function EntryCount({ entry: { count, countWord }, status }: { entry: AdminEntry; status: AdminStatus }) {
  if (!count || !countWord) return null;
  return <Count count={count(status)} word={countWord(count(status))} />;
}

/** A number and, for screen readers, what it counts. Renders nothing for 0. */
function Count({ count, word }: { count: number; word: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {formatCount(count)}
      <span className={hidden.hidden}> {word}</span>
    </span>
  );
}
