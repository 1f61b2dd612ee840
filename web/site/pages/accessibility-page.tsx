import { Link } from '@tanstack/react-router';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';
import { OperatorName } from './operator-name.tsx';

export function AccessibilityPage() {
  useTitle(publicPageTitles[paths.accessibility]);
  return (
    <LegalPage
      title="Accessibility Statement"
      lastUpdated="November 30, 2026"
      lead="What works with a keyboard, a screen reader or large text, what we know does not, and how to tell us."
      sections={accessibilitySections}
    />
  );
}

const accessibilitySections: readonly LegalSection[] = [
  {
    id: 'goal',
    title: 'Our goal',
    body: (
      <p>
        Linksieve aims to meet level AA of the{' '}
        <a href="https://www.w3.org/TR/WCAG22/" rel="noopener">
          Web Content Accessibility Guidelines 2.2
        </a>
        . This is our own assessment. No independent auditor has confirmed it.
      </p>
    ),
  },
  {
    id: 'works',
    title: 'What works',
    body: (
      <ul>
        <li>All functions work with a keyboard. Shortcuts of a single key can be turned off.</li>
        <li>Public pages work without scripts. Screens have headings, landmarks and links to skip to the content.</li>
        <li>Risk levels are written as words. Color is never the only sign.</li>
        <li>Public pages fit a window of 320 pixels, which equals a zoom of 400%.</li>
        <li>There is a light and a dark theme. Animations are off if your system asks for less motion.</li>
      </ul>
    ),
  },
  {
    id: 'testing',
    title: 'How it is tested',
    body: (
      <p>
        Each version is tested with axe-core on every screen, in both themes and on a narrow window, and tests operate
        the most common tasks with a keyboard. Such tests find only part of all problems. We do not test each version
        with every screen reader and browser.
      </p>
    ),
  },
  {
    id: 'limits',
    title: 'Known limits',
    body: (
      <ul>
        <li>Linksieve is only in English. Names and texts in other languages are not marked as such.</li>
        <li>Wide tables scroll sideways in a narrow window.</li>
        <li>
          The pages of other companies for payments, calls and sign-in are outside our control. You can sign in without
          them if this site offers passwords.
        </li>
      </ul>
    ),
  },
  {
    id: 'contact',
    title: 'Report a barrier',
    body: (
      <p>
        This site is run by <OperatorName />. If something does not work for you, use the{' '}
        <Link to={paths.contact}>contact page</Link>. Name the page, what you wanted to do, and your browser and
        assistive technology. We reply within 24 hours on business days.
      </p>
    ),
  },
];
