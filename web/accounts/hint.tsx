import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './auth-page.module.css';

/** What a field still wants, or that it is good. */
export function Hint({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <p className={classes.hint} data-good={good}>
      {good && <Check size={14} aria-hidden />}
      {children}
    </p>
  );
}
