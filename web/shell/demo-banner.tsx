import { pageState } from '../platform/page-state.ts';
import styles from './demo-banner.module.css';

/** Says on every screen of a demonstration for the public that nothing is kept. */
export function DemoBanner() {
  const { demoResetsAt } = pageState();
  if (!demoResetsAt) return null;
  return (
    <aside aria-label="Demonstration" className={styles.banner}>
      This is a demonstration. It resets at {demoResetsAt.slice(11, 16)} UTC; nothing you enter is kept.
    </aside>
  );
}
