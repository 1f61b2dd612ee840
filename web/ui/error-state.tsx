import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { Button } from './button.tsx';
import classes from './error-state.module.css';

interface Props {
  title?: string;
  /** What happened, in place of the error's own sentence. */
  description?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

/** What a screen or a part of it shows when it could not be loaded: what happened, and a way on. */
export function ErrorState({ title = 'Something went wrong', description, error, onRetry, retrying = false }: Props) {
  const sentence = description ?? (error instanceof ApiError ? error.message : 'Please try again.');
  const requestId = error instanceof ApiError ? error.body.requestId : undefined;
  return (
    <div className={classes.state} role="alert">
      <TriangleAlert size={18} aria-hidden className={classes.icon} />
      <div>
        <p className={classes.title}>{title}</p>
        <div>{sentence}</div>
        {typeof requestId === 'string' && (
          <p className={classes.number}>
            Error number <code>{requestId}</code>
          </p>
        )}
        {onRetry && (
          <Button
            className={classes.retry}
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
