import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { saveDestination, useSession } from './session.tsx';

/**
 * Returns a click handler for the links of visitors to the sign-in page. Afterwards, the user goes to `destination`. A
 * click that opens a new tab only follows the link.
 */
export function useSignInFirst(destination: string): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    saveDestination(destination);
    void navigate({ to: paths.auth });
  };
}

interface GatedLinkProps {
  to:
    | typeof paths.dashboard
    | typeof paths.domains
    | typeof paths.riskAssessment
    | typeof paths.submitSites
    | typeof paths.account;
  /** A tab of the account. */
  tab?: 'api-keys' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A link to a screen that needs an account. A visitor goes straight to the sign-in page, without loading the screen
 * first, and returns to the screen afterwards. `href` is still the screen's own path: in a new tab and without
 * JavaScript, the screen's guard does the same.
 */
export function GatedLink({ to, tab, className, children }: GatedLinkProps) {
  const { state } = useSession();
  const signInFirst = useSignInFirst(tab ? `${to}?tab=${tab}` : to);
  return (
    <Link
      to={to}
      search={{ tab }}
      className={className}
      {...(state === 'visitor' && { onClick: signInFirst, preload: false })}
    >
      {children}
    </Link>
  );
}
