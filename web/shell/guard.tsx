import { Outlet, useLocation, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { saveDestination, useSession } from '../accounts/sessions/session.tsx';
import { paths } from '../paths.ts';
import { ApiError } from '../platform/api.ts';
import { lazyPart } from '../platform/load-part.ts';
import { describePage } from '../platform/page-state.ts';
import { ErrorScreen, Loading } from './fallback-screens.tsx';

const Refusal = lazyPart(() => import('./access-denied.tsx'), 'Refusal');

/** Shows the screen to signed-in users. Visitors sign in first and then return to the same URL. */
export function SignedIn() {
  return <Guarded />;
}

/** Shows the screen to admins, and other users why they cannot see it. */
export function AdminOnly() {
  return <Guarded adminOnly />;
}

function Guarded({ adminOnly = false }: { adminOnly?: boolean }) {
  const session = useSession();
  const screen = useMatches({ select: screenOf });
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'failed') {
    const { error, retry } = session;
    describePage({ status: error instanceof ApiError ? error.status : 500 });
    return <ErrorScreen error={error} reset={retry} />;
  }
  if (session.state === 'visitor') return <RedirectToSignIn key={screen} />;
  if (!adminOnly || session.user.isAdmin) return <Outlet />;
  return (
    <Suspense fallback={<Loading />}>
      <Refusal />
    </Suspense>
  );
}

/**
 * Identifies the screen that the router shows. While the next screen loads, the URL is already that of the next screen.
 */
function screenOf(matches: { pathname: string; search: object }[]): string {
  const { pathname, search } = matches.at(-1) ?? {};
  return JSON.stringify([pathname, search]);
}

/**
 * Saves the URL for after the sign-in and opens the sign-in page. Does so once, so that a link clicked in the meantime
 * wins. If that link leads back to this screen, it redirects again.
 */
function RedirectToSignIn() {
  const { href } = useLocation();
  describePage({ redirect: `${paths.auth}?next=${encodeURIComponent(href)}` });
  const [requestedUrl] = useState(href);
  const visit = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key });
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another visit of this screen must redirect again
  useEffect(() => {
    saveDestination(requestedUrl);
    void navigate({ to: paths.auth, replace: true });
  }, [requestedUrl, navigate, visit]);
  return <Loading />;
}
