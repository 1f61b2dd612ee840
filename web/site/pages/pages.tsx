import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { PublicPage } from '#shared/pages.ts';
import { saveDestination, useSession } from '../../accounts/session/session.tsx';
import { paths } from '../../paths.ts';

/** The title of each public page. web/head.ts contains the descriptions, which browsers do not need. */
export const publicPageTitles: Record<PublicPage, string> = {
  '/': 'Paid-Link Blacklist and Backlink Risk Checker',
  '/check': 'Check Lists of Domains and Prices',
  '/features': 'Features: Link Blacklist and Toxicity Reports',
  '/use-cases': 'Use Cases for Site Owners and Link Builders',
  '/methodology': 'Methodology: Risk Levels and Toxicity',
  '/updates': 'Updates of the Paid-Link Blacklist',
  '/extension': 'Browser Extension for Chrome, Edge and Firefox',
  '/about': 'About the Paid-Link Blacklist',
  '/contact': 'Contact Us',
  '/api/docs': 'API Documentation for Paid-Link Checks',
  '/privacy-policy': 'Privacy Policy',
  '/terms-of-service': 'Terms of Service',
};

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
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A link to a screen that needs an account. A visitor goes straight to the sign-in page, without loading the screen
 * first, and returns to the screen afterwards. `href` is still the screen's own path: in a new tab and without
 * JavaScript, the screen's guard does the same.
 */
export function GatedLink({ to, className, children }: GatedLinkProps) {
  const { state } = useSession();
  const signInFirst = useSignInFirst(to);
  return (
    <Link to={to} className={className} {...(state === 'visitor' && { onClick: signInFirst, preload: false })}>
      {children}
    </Link>
  );
}
