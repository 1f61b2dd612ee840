import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { paths } from '../paths.ts';
import { saveDestination, useSession } from '../session/session.tsx';

/** Leads visitors to the sign-in page, and back to this one. Nothing for signed-in users. */
export function SignInLink({ children }: { children: ReactNode }) {
  const { state } = useSession();
  const { href } = useLocation();
  const navigate = useNavigate();
  if (state !== 'visitor') return null;
  const signIn = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    saveDestination(href);
    void navigate({ to: paths.auth });
  };
  return (
    <Link to={paths.auth} onClick={signIn}>
      {children}
    </Link>
  );
}
