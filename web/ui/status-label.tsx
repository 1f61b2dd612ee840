import type { LucideIcon } from 'lucide-react';
import styles from './status-label.module.css';

export interface Status {
  name: string;
  Icon: LucideIcon;
  tone?: 'good' | 'bad' | 'warning' | 'busy';
}

/** A status: an icon and a word. */
export function StatusLabel({ status: { name, Icon, tone } }: { status: Status }) {
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={15} strokeWidth={2} aria-hidden />
      {name}
    </span>
  );
}
