import type { ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { MissingPart } from '../lib/load-part.ts';
import { tryStorage } from '../lib/storage.ts';
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

/** How soon a page that cannot be loaded is not reloaded again, in milliseconds. */
const reloadPauseMs = 60_000;
const reloadKey = 'last-automatic-reload';

/** Shown in place of a screen that failed. If its code is missing, reloads the page once to get the latest version. */
export function ErrorScreen({ error, reset }: Partial<ErrorComponentProps>) {
  const isMissing = error instanceof MissingPart;
  const [canReload] = useState(() => isMissing && isReloadDue());
  useEffect(() => {
    if (!canReload) return;
    tryStorage(() => sessionStorage.setItem(reloadKey, String(Date.now())));
    location.reload();
  }, [canReload]);
  if (canReload) return <Loading />;
  return isMissing ? (
    <Failure description="Part of this page failed to load. Reload the page." onRetry={() => location.reload()} />
  ) : (
    <Failure error={error} onRetry={reset} />
  );
}

/** False if the browser stores nothing, because the page could then reload forever. */
function isReloadDue(): boolean {
  const last = tryStorage(() => Number(sessionStorage.getItem(reloadKey)));
  return last !== undefined && Date.now() - last > reloadPauseMs;
}

/** Includes the request id of the server's log, if there is one. */
function Failure(props: ComponentProps<typeof ErrorState>) {
  useTitle('Error');
  return (
    <div className={classes.notice}>
      <h1>This page could not be displayed</h1>
      <ErrorState {...props} />
    </div>
  );
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
