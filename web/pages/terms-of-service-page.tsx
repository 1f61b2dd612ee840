import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { LegalPage } from './legal-page.tsx';
import { publicHeads } from './pages.tsx';
import { termsSections } from './terms-sections.tsx';

export function TermsOfServicePage() {
  useTitle(publicHeads[paths.termsOfService].title);
  return (
    <LegalPage
      title="Terms of Service"
      lastUpdated="April 21, 2025"
      lead="The rules between you and the operator of this site, in fifteen short sections."
      sections={termsSections}
      numbered
    />
  );
}
