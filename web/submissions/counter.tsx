import styles from './counter.module.css';

/** How much of a field's room is used. It turns red above the limit, since a pasted text is never cut in silence. */
export function Counter({ text, most }: { text: string; most: number }) {
  const length = text.trim().length;
  return (
    <span className={styles.counter} data-over={length > most || undefined}>
      {length}/{most}
    </span>
  );
}
