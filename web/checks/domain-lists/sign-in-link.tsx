import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSignInFirst } from '../../accounts/sessions/gated-link.tsx';
import { useSession } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';

/** Leads visitors to the sign-in page, and back to this one. Nothing for signed-in users. */
export function SignInLink({ children }: { children: ReactNode }) {
  const { state } = useSession();
  const { href } = useLocation();
  const signInFirst = useSignInFirst(href);
  if (state !== 'visitor') return null;
  return (
    <Link to={paths.auth} onClick={signInFirst}>
      {children}
    </Link>
  );
}
