import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { PublicPage } from '#shared/pages.ts';
import { paths } from '../paths.ts';
import { saveDestination, useSession } from '../session/session.tsx';

/** Title and meta description of each public page. pages.test.ts checks that search results do not cut them off. */
export const publicPageMeta: Record<PublicPage, { title: string; description: string }> = {
  '/': {
    title: 'Paid-Link Blacklist and Backlink Risk Checker',
    description:
      'Search domains known or suspected to sell backlinks. Upload a backlink export to get a toxicity report and a disavow file. Free for everyone.',
  },
  '/check': {
    title: 'Check Lists of Domains and Prices',
    description:
      'Paste or upload up to 10,000 domains with quoted prices, and see which are on the blacklist and what their links usually cost.',
  },
  '/features': {
    title: 'Features: Link Blacklist and Toxicity Reports',
    description:
      'Search link sellers by risk level, analyze backlink exports from SEO tools, compare reports over time, and export CSV or disavow files.',
  },
  '/use-cases': {
    title: 'Use Cases for Site Owners and Link Builders',
    description:
      'Check a domain before you place a link, prepare a disavow file, monitor the backlinks of your websites, analyze competitors, or use the API.',
  },
  '/methodology': {
    title: 'Methodology: Risk Levels and Toxicity',
    description:
      'Where listings come from, how risk levels and toxicity are computed, how domains are matched, and what a listing does and does not prove.',
  },
  '/updates': {
    title: 'Updates of the Paid-Link Blacklist',
    description:
      'What was added to and removed from the paid-link blacklist each month, and the public lists that it contains, with licenses. Also as a feed.',
  },
  '/about': {
    title: 'About the Paid-Link Blacklist',
    description:
      'Who runs Linksieve, how the paid-link blacklist works, how a domain is listed, and how to have incorrect information corrected or removed.',
  },
  '/contact': {
    title: 'Contact Us',
    description:
      'Contact the maintainers of Linksieve with questions, corrections of listed domains, feature requests, or problems with a backlink report.',
  },
  '/api/docs': {
    title: 'API Documentation for Paid-Link Checks',
    description:
      'Check one domain or up to 500 at once against the paid-link blacklist. Examples in curl, JavaScript and Python, limits, errors and OpenAPI.',
  },
  '/privacy-policy': {
    title: 'Privacy Policy',
    description:
      'What data Linksieve stores about visitors and users, why, and for how long, and how to download your data or delete your account.',
  },
  '/terms-of-service': {
    title: 'Terms of Service',
    description:
      'The terms for using Linksieve: the paid-link blacklist, backlink reports, exports and the API, and what you may do with the data.',
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
 * A link to a screen that needs an account. A visitor goes straight to the sign-in page, without loading the screen
 * first, and returns to the screen afterwards. `href` is still the screen's own path: in a new tab and without
 * JavaScript, the screen's guard does the same.
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
