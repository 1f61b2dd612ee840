import styles from './list-placeholder.module.css';

/** Shown while the results load, about as high as their summary. */
export function ListPlaceholder() {
  return <div className={styles.placeholder} role="status" aria-label="Loading..." data-waiting />;
}
