import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import styles from './delta-text.module.css';
import type { Delta } from './toxicity.ts';

const icons = { up: ArrowUp, down: ArrowDown, same: Equal };

/** A change of the toxicity, with its sign, an arrow and a colour. */
export function DeltaText({ delta, suffix }: { delta: Delta; suffix?: string }) {
  const Icon = icons[delta.direction];
  return (
    <span className={styles.delta} data-direction={delta.direction}>
      <Icon size={14} aria-hidden />
      {delta.text}
      {suffix && ` ${suffix}`}
    </span>
  );
}
