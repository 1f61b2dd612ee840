import type { ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
  /** Its anchor. */
  id: string;
  title: string;
  /** What stands below the title, beside the content. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a public page that can be linked to. */
export function Section({ id, title, aside, children }: Props) {
  return (
    <section id={id} className={classes.section} aria-labelledby={`${id}-title`}>
      <div className={classes.aside}>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
