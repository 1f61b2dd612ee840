import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { rememberDestination } from '../lib/after-sign-in.ts';
import { useSession } from '../lib/session.ts';
import { paths } from '../paths.ts';
import { Crash } from './crash.tsx';
import { Loading } from './loading.tsx';

const AccessDenied = lazy(() => import('./access-denied.tsx').then((module) => ({ default: module.AccessDenied })));
const Unauthorized = lazy(() => import('./unauthorized.tsx').then((module) => ({ default: module.Unauthorized })));

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
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'failed') return <Crash error={session.error} reset={session.retry} />;
  if (session.state === 'nobody') return <SendToSignIn />;
  if (!refusal || session.user.isAdmin) return children;
  return <Suspense fallback={<Loading />}>{refusal}</Suspense>;
}

function SendToSignIn() {
  const { href } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    rememberDestination(href);
    void navigate({ to: paths.auth, replace: true });
  }, [href, navigate]);
  return <Loading />;
}
