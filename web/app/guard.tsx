import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { rememberDestination } from '../lib/after-sign-in.ts';
import { useSession } from '../lib/session.ts';
import { paths } from '../paths.ts';
import { AccessDenied } from './access-denied.tsx';
import { Crash } from './crash.tsx';
import { Loading } from './loading.tsx';

/** Lets signed-in people through; others sign in first and come back to the very address. */
export function SignedIn() {
  return <Guarded>{<Outlet />}</Guarded>;
}

/** Lets admins through, tells others so. */
export function AdminOnly() {
  return <Guarded admin>{<Outlet />}</Guarded>;
}

function Guarded({ admin = false, children }: { admin?: boolean; children: ReactNode }) {
  const session = useSession();
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'failed') return <Crash error={session.error} reset={session.retry} />;
  if (session.state === 'nobody') return <SendToSignIn />;
  return admin && !session.user.isAdmin ? <AccessDenied /> : children;
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
