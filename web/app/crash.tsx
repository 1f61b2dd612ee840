import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { ErrorState } from '../ui/error-state.tsx';
import classes from './notice.module.css';

/** What stands in place of a screen that broke, with the number under which the server has logged it, where it has. */
export function Crash({ error, reset }: Partial<ErrorComponentProps>) {
  useTitle('Error');
  const missing = isMissingPart(error);
  // A part that could not be loaded is remembered as such by the page: only a new page asks for it again.
  const retry = missing ? () => location.reload() : reset;
  return (
    <div className={classes.notice}>
      <h1>This page could not be shown</h1>
      <ErrorState
        error={error}
        {...(missing && {
          description: 'A part of it could not be loaded: the connection broke off, or there is a new version.',
        })}
        {...(retry && { onRetry: retry })}
      />
    </div>
  );
}

/** Whether a screen's script or style is missing, in the words of the browsers and of the builder's loader. */
function isMissingPart(error: unknown): boolean {
  const words = /dynamically imported module|module script failed|preload CSS/i;
  return error instanceof Error && words.test(error.message);
}
