import type { CSSProperties } from 'react';
import styles from './form-error.module.css';
import { ErrorText } from './typography.ts';

interface FormErrorProps {
  error: { message: string } | null | undefined;
  style?: CSSProperties;
}

/**
 * Why a change failed, above the buttons of a form or dialog, or next to a single button. Unlike a toast, it stays
 * visible. In a row of buttons, it has its own line.
 */
export function FormError({ error, style }: FormErrorProps) {
  if (!error) return null;
  return (
    <ErrorText role="alert" className={styles.error} {...(style && { style })}>
      {error.message || 'Something went wrong. Please try again.'}
    </ErrorText>
  );
}
