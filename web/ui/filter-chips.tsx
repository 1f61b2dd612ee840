import { X } from 'lucide-react';
import styles from './filter-chips.module.css';

interface FilterChipsProps<Name extends string> {
  /** The active filters, each with its parameter. */
  filters: readonly { name: Name; text: string }[];
  /** Called when a button is pressed, which then disappears: the caller moves the focus. */
  onRemove(name: Name): void;
  onClear(): void;
}

/** The active filters of a list, each with a button to remove it. */
export function FilterChips<Name extends string>({ filters, onRemove, onClear }: FilterChipsProps<Name>) {
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {filters.map(({ name, text }) => (
        <li key={name} className={styles.chip}>
          <span className={styles.text} title={text}>
            {text}
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove filter: ${text}`}
            onClick={() => onRemove(name)}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
