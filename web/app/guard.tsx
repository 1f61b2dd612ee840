import { Outlet, useLocation, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { paths } from '../paths.ts';
import { rememberDestination, useSession } from '../session/session.tsx';
import { Crash, Loading } from './stand-ins.tsx';

const AccessDenied = lazy(() => import('./refusals.tsx').then((module) => ({ default: module.AccessDenied })));
const Unauthorized = lazy(() => import('./refusals.tsx').then((module) => ({ default: module.Unauthorized })));

/** Lets signed-in people through; others sign in first and come back to the very address. */
export function SignedIn() {
  return <Guarded>{<Outlet />}</Guarded>;
}

/** Lets admins through, tells others so. */
export function AdminOnly() {
  return <Guarded refusal={<AccessDenied />}>{<Outlet />}</Guarded>;
}

/** The inbox refuses in words of its own. */
export function InboxOnly() {
  return <Guarded refusal={<Unauthorized />}>{<Outlet />}</Guarded>;
}

/** @param refusal what stands here for those who are no admins; without it everybody who is signed in is let through */
function Guarded({ refusal, children }: { refusal?: ReactNode; children: ReactNode }) {
  const session = useSession();
  const screen = useMatches({ select: screenOf });
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'failed') return <Crash error={session.error} reset={session.retry} />;
  if (session.state === 'nobody') return <SendToSignIn key={screen} />;
  if (!refusal || session.user.isAdmin) return children;
  return <Suspense fallback={<Loading />}>{refusal}</Suspense>;
}

/** The screen that the router shows. The address may already be that of the next screen, whose code is still on its way. */
function screenOf(matches: { pathname: string; search: object }[]): string {
  const { pathname, search } = matches.at(-1) ?? {};
  return JSON.stringify([pathname, search]);
}

/**
 * Saves the address for after the sign-in and goes to the sign-in page, once: another link pressed meanwhile wins. If that link
 * leads back to this screen, the person is sent again.
 */
function SendToSignIn() {
  const { href } = useLocation();
  const [asked] = useState(href);
  const visit = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key });
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit of the same screen must navigate again
  useEffect(() => {
    rememberDestination(asked);
    void navigate({ to: paths.auth, replace: true });
  }, [asked, navigate, visit]);
  return <Loading />;
}
