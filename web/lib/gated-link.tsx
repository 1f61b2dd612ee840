import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { paths } from '../paths.ts';
import { rememberDestination } from './after-sign-in.ts';
import { useSession } from './session.ts';

interface Props {
  to:
    | typeof paths.dashboard
    | typeof paths.domains
    | typeof paths.riskAssessment
    | typeof paths.submitSites
    | typeof paths.account;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A link to a screen for signed-in people. A visitor goes straight to the sign-in, without loading that screen first, and comes
 * back to it. The address stays that of the screen: a new tab and a page without script get there by the screen's own guard.
 */
export function GatedLink({ to, className, children }: Props) {
  const { state } = useSession();
  const navigate = useNavigate();
  const signInFirst = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    rememberDestination(to);
    void navigate({ to: paths.auth });
  };
  return (
    <Link to={to} className={className} {...(state === 'nobody' && { onClick: signInFirst, preload: false })}>
      {children}
    </Link>
  );
}
