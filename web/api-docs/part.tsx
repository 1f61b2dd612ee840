import type { ReactNode } from 'react';
import classes from './api-docs-page.module.css';

interface Props {
  /** Its anchor. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the page that can be linked to. */
export function Part({ id, title, children }: Props) {
  return (
    <section id={id} className={classes.part} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
