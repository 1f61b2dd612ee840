import type { ReactNode } from 'react';
import styles from './api-docs-page.module.css';

/** Text with its examples next to it, or after it on a narrow screen. Without examples, the text has the full width. */
export function Columns({ examples, children }: { examples?: ReactNode; children: ReactNode }) {
  if (!examples) return children;
  return (
    <div className={styles.columns}>
      <div>{children}</div>
      <div className={styles.examples}>{examples}</div>
    </div>
  );
}
