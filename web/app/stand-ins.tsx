import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { ErrorState, useDelayed } from '../ui/states.tsx';
import classes from './stand-ins.module.css';

/** In place of a screen that is being loaded. Nothing shows at first, so that a quick response does not flicker. */
export function Loading() {
  const show = useDelayed();
  return (
    <div className={classes.loading} role="status" data-waiting>
      {show && (
        <>
          <span className={classes.spinner} aria-hidden="true" />
          Loading...
        </>
      )}
    </div>
  );
}

/** In place of a screen that broke. Shows the number under which the server logged the error, if it did. */
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

const elsewhere = [
  [paths.dashboard, 'Blacklist'],
  [paths.riskAssessment, 'Risk Assessment'],
  [paths.features, 'Features'],
  [paths.contact, 'Contact'],
] as const;

/** The screen at an address where nothing is. */
export function NotFound() {
  useTitle('404 Page Not Found');
  return (
    <div className={classes.page}>
      <h1>404 Page Not Found</h1>
      <p>There is nothing at this address. It may have moved, or the link has a typing error.</p>
      <div className={classes.links}>
        <ButtonLink to={paths.home}>Home</ButtonLink>
        {elsewhere.map(([to, words]) => (
          <ButtonLink key={to} to={to} variant="default">
            {words}
          </ButtonLink>
        ))}
        <BySession
          visitor={
            <ButtonLink to={paths.auth} variant="default">
              Sign In
            </ButtonLink>
          }
          user={
            <ButtonLink to={paths.account} variant="default">
              My Account
            </ButtonLink>
          }
        />
      </div>
    </div>
  );
}
