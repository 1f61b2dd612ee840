import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { PublicPage } from '#shared/pages.ts';
import { paths } from '../paths.ts';
import { saveDestination, useSession } from '../session/session.tsx';

/** What search engines and browser tabs show of each public page, in lengths that result pages do not cut (public-heads.test.ts). */
export const publicHeads: Record<PublicPage, { title: string; description: string }> = {
  '/': {
    title: 'Paid-Link Blacklist and Backlink Risk Checker',
    description:
      'Search domains known or suspected to sell backlinks, upload a backlink export of any SEO tool, and get a toxicity report with a disavow file. Free.',
  },
  '/features': {
    title: 'Features: Link Blacklist and Toxicity Reports',
    description:
      'Search a database of link sellers by risk level, read backlink exports of any SEO tool, follow reports over time, and export CSV or disavow files.',
  },
  '/use-cases': {
    title: 'Use Cases for Site Owners and Link Builders',
    description:
      'Verify a link before you buy it, build a disavow file, watch the backlink profiles of your websites, look at competitors, or ask through the API.',
  },
  '/about': {
    title: 'About the Paid-Link Blacklist',
    description:
      'What Linksieve is, how a domain gets into the paid-link blacklist and out of it, how risk levels are made, and who maintains the project.',
  },
  '/contact': {
    title: 'Contact Us',
    description:
      'Write to the maintainers of Linksieve: questions, corrections of listed domains, feature requests and help with reports. A person reads it.',
  },
  '/api/docs': {
    title: 'API Documentation for Paid-Link Checks',
    description:
      'Check one domain or 500 at once against the paid-link blacklist: quick start in curl, JavaScript and Python, limits, errors, and an OpenAPI file.',
  },
  '/privacy-policy': {
    title: 'Privacy Policy',
    description:
      'Which data Linksieve keeps about visitors and users, what for and until when, and how you get a copy of it or have it deleted.',
  },
  '/terms-of-service': {
    title: 'Terms of Service',
    description:
      'The terms under which you may use Linksieve: its paid-link blacklist, its backlink reports, its downloads and its API, all of it free.',
  },
};

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
 * A link to a screen for signed-in people. A visitor goes straight to the sign-in, without loading that screen first, and comes
 * back to it. The address stays that of the screen: a new tab and a page without script get there by the screen's own guard.
 */
export function GatedLink({ to, className, children }: GatedLinkProps) {
  const { state } = useSession();
  const navigate = useNavigate();
  const signInFirst = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    saveDestination(to);
    void navigate({ to: paths.auth });
  };
  return (
    <Link to={to} className={className} {...(state === 'visitor' && { onClick: signInFirst, preload: false })}>
      {children}
    </Link>
  );
}
