import type { PublicPage } from '#shared/pages.ts';

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
  '/accessibility': 'Accessibility Statement',
  '/crawler': 'LinksieveBot: Page Visits',
};
