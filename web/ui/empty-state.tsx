import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Mesh } from './mesh.tsx';

interface EmptyStateProps {
  title: string;
  description?: ReactNode;
  icon?: LucideIcon;
  /** The level of the title among the headings of the screen. */
  order?: 1 | 2 | 3 | 4;
  /** The next step: a button or a link. */
  children?: ReactNode;
}

/** Shown for an empty list: what that means, and a next step. */
export function EmptyState({ title, description, icon: Icon, order = 2, children }: EmptyStateProps) {
  const Heading = `h${order}` as const;
  return (
    <div className={styles.state}>
      <div className={styles.picture}>
        <Mesh width={240} height={104} />
        {Icon && <Icon size={22} strokeWidth={1.75} aria-hidden className={styles.icon} />}
      </div>
      <Heading className={styles.title}>{title}</Heading>
      {description && <div className={styles.text}>{description}</div>}
      {children && <div className={styles.next}>{children}</div>}
    </div>
  );
}
