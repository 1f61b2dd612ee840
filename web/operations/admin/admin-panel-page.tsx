import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../platform/load-part.ts';
import { Screen } from '../../ui/screen.tsx';
import { PendingMarker } from '../../ui/states.tsx';
import { AuditLog } from './audit-log.tsx';
import { DatabaseTab } from './database-tab.tsx';
import { JobsTab } from './jobs-tab.tsx';
import { refreshAllData, useAdminPanel } from './queries.ts';
import { type AdminPanelTab, toPanelTab } from './search.ts';
import { SystemTab } from './system-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const ImportTab = lazyPart(() => import('../../blacklist/imports/import-tab.tsx'), 'ImportTab');

const screens: Record<AdminPanelTab, { title: string; lead: string; Content(): ReactNode }> = {
  import: { title: 'Import Data', lead: 'Add a list of domains to the blacklist.', Content: ImportData },
  database: {
    title: 'Database',
    lead: 'Risk levels, maintenance and the export of all domains.',
    Content: DatabaseTab,
  },
  users: { title: 'User Management', lead: 'All accounts and their rights.', Content: UsersTab },
  audit: {
    title: 'Audit Log',
    lead: 'Changes by admins, and the security activity of all accounts.',
    Content: AuditLog,
  },
  jobs: { title: 'Jobs', lead: 'Recent work in the background.', Content: JobsTab },
  system: {
    title: 'Settings',
    lead: 'Set by environment variables on the server. Changing them here is coming soon.',
    Content: SystemTab,
  },
};

/** The screens of the admin panel. The side bar leads to each. */
export function AdminPanelPage() {
  const tab = toPanelTab(useAdminPanel().search);
  const { title, lead, Content } = screens[tab];
  return (
    <Screen key={tab} title={title} lead={lead}>
      <Content />
    </Screen>
  );
}

/** The id of the watched import is in the URL, so that it survives a reload. */
function ImportData() {
  const queries = useQueryClient();
  const { search, show } = useAdminPanel();
  return (
    <Suspense fallback={<PendingMarker />}>
      <ImportTab jobId={search.job} onWatch={(job) => show({ job })} onImported={() => void refreshAllData(queries)} />
    </Suspense>
  );
}
