import type { ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { MissingPart } from '../platform/load-part.ts';
import { tryStorage } from '../platform/storage.ts';
import { useTitle } from '../platform/use-title.ts';
import { ErrorState, useDelayed } from '../ui/states.tsx';
import styles from './fallback-screens.module.css';

/** Shown while a screen is loading. Stays empty at first, so that a quick response does not flicker. */
export function Loading() {
  const show = useDelayed();
  return (
    <div className={styles.loading} role="status" data-waiting>
      {show && (
        <>
          <span className={styles.spinner} aria-hidden="true" />
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
    <div className={styles.notice}>
      <h1>This page could not be displayed</h1>
      <ErrorState {...props} />
    </div>
  );
}
