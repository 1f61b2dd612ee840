import { useQueryClient } from '@tanstack/react-query';
import { useImport } from '../imports/imports.tsx';
import { refreshDomains } from './domains.tsx';
import { DomainsView } from './domains-page.tsx';
import { useDomainsScreen } from './screen.ts';

/** The blacklist for admins. It owns the import, so that an import continues while its dialog is closed. */
export function DomainsAdmin() {
  const client = useQueryClient();
  const screen = useDomainsScreen();
  const importer = useImport({
    onImported: () => void refreshDomains(client),
    onFinished: () => screen.search.dialog === 'import' && void screen.close(),
  });
  return <DomainsView importer={importer} />;
}
