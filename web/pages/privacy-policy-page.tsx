import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { LegalPage } from './legal-page.tsx';
import { publicHeads } from './pages.tsx';
import { privacySections } from './privacy-sections.tsx';

export function PrivacyPolicyPage() {
  useTitle(publicHeads[paths.privacyPolicy].title);
  return (
    <LegalPage
      title="Privacy Policy"
      lastUpdated="April 21, 2025"
      lead="What Linksieve knows about you, why, for how long, and how to take it away again. It is written to be read: each sentence describes what the software does."
      sections={privacySections}
    />
  );
}
