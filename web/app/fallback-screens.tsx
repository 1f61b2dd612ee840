import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Mesh } from '../ui/mesh.tsx';
import { ErrorState, useDelayed } from '../ui/states.tsx';
import classes from './fallback-screens.module.css';

/** Shown while a screen is loading. Stays empty at first, so that a quick response does not flicker. */
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

/** Shown in place of a screen that failed. Includes the request id of the server's log, if there is one. */
export function ErrorScreen({ error, reset }: Partial<ErrorComponentProps>) {
  useTitle('Error');
  const isMissing = isMissingPart(error);
  // Browsers remember a failed import until the page is reloaded.
  const retry = isMissing ? () => location.reload() : reset;
  return (
    <div className={classes.notice}>
      <h1>This page could not be displayed</h1>
      <ErrorState
        error={error}
        {...(isMissing && {
          description: 'Part of this page failed to load. Check your connection, or reload to get the latest version.',
        })}
        {...(retry && { onRetry: retry })}
      />
    </div>
  );
}

/**
 * Whether a script or style failed to load, according to the error messages of the browsers and of Vite's preloader.
 */
function isMissingPart(error: unknown): boolean {
  const pattern = /dynamically imported module|module script failed|preload CSS/i;
  return error instanceof Error && pattern.test(error.message);
}

const suggestions = [
  [paths.dashboard, 'Blacklist'],
  [paths.riskAssessment, 'Risk Assessment'],
  [paths.features, 'Features'],
  [paths.contact, 'Contact'],
] as const;

/** The screen for URLs that do not exist. */
export function NotFound() {
  useTitle('404 Page Not Found');
  return (
    <div className={classes.page}>
      <Mesh width={560} height={154} className={classes.mesh} />
      <h1>404 Page Not Found</h1>
      <p>This page does not exist. It may have moved, or the link may contain a typo.</p>
      <div className={classes.links}>
        <ButtonLink to={paths.home}>Home</ButtonLink>
        {suggestions.map(([to, label]) => (
          <ButtonLink key={to} to={to} variant="default">
            {label}
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
