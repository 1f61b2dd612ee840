import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface Props {
  title: string;
  description?: ReactNode;
  icon?: LucideIcon;
  /** The level of the title among the headings of the screen. */
  order?: 2 | 3 | 4;
  /** The next step: a button or a link. */
  children?: ReactNode;
}

/** What stands where there is nothing to show: what that means, and a next step. */
export function EmptyState({ title, description, icon: Icon, order = 2, children }: Props) {
  const Heading = `h${order}` as const;
  return (
    <div className={classes.state}>
      {Icon && (
        <div className={classes.icon}>
          <Icon size={22} strokeWidth={1.75} aria-hidden />
        </div>
      )}
      <Heading className={classes.title}>{title}</Heading>
      {description && <div className={classes.text}>{description}</div>}
      {children && <div className={classes.next}>{children}</div>}
    </div>
  );
}
