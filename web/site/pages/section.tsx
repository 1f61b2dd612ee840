import type { ReactNode } from 'react';
import styles from './page.module.css';

interface Props {
  /** The anchor of the section. */
  id: string;
  title: string;
  /** Text under the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a public page: the title on the left, the content on the right. */
export function Section({ id, title, aside, children }: Props) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={styles.aside}>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
