import { RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../platform/api.ts';
import { Button } from './button.tsx';
import styles from './states.module.css';

interface ErrorStateProps {
  title?: string;
  /** What happened. Replaces the message of the error. */
  description?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

/** Shown when a screen or part of it failed to load: what happened, and a button to retry. */
export function ErrorState(props: ErrorStateProps) {
  const { title = 'Something went wrong', description, error, onRetry, retrying = false } = props;
  const sentence = description ?? (error instanceof ApiError ? error.message : 'Please try again.');
  const requestId = error instanceof ApiError ? error.body.requestId : undefined;
  return (
    <div className={styles.error} role="alert">
      <TriangleAlert size={18} aria-hidden className={styles.errorIcon} />
      <div>
        <p className={styles.errorTitle}>{title}</p>
        <div>{sentence}</div>
        {typeof requestId === 'string' && (
          <p className={styles.number}>
            Request ID: <code>{requestId}</code>
          </p>
        )}
        {onRetry && (
          <Button
            className={styles.retry}
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={onRetry}
            loading={retrying}
          >
            Retry
          </Button>
        )}
      </div>
    </div>
  );
}

/** Shown in place of a lazy part while it loads, so that the page is not marked as ready without it. */
export function PendingMarker() {
  return <span data-waiting hidden />;
}

/** Returns true after `active` has been true for `delayMs`. For spinners that quick responses should not show. */
export function useDelayed(active = true, delayMs = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [active, delayMs]);
  return active && late;
}
