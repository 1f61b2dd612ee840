import { DomainsView } from './domains-view.tsx';
import { useDomainsScreen } from './use-domains-screen.ts';
import { useImport } from './use-import.ts';

/** The blacklist of an admin, whose import goes on whatever else is done with it. */
export function DomainsAdmin() {
  const screen = useDomainsScreen();
  const current = useImport(() => screen.search.dialog === 'import' && screen.close());
  return <DomainsView current={current} />;
}
