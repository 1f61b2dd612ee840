import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../../platform/load-part.ts';
import { Screen } from '../../ui/screen.tsx';
import { PendingMarker } from '../../ui/states.tsx';
import styles from './admin-panel-page.module.css';
import { DatabaseTab } from './database-tab.tsx';
import { refreshAllData, useAdminPanel } from './queries.ts';
import { adminPanelTabs } from './search.ts';
import { StatsCards } from './stats-cards.tsx';
import { SystemTab } from './system-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const ImportTab = lazyPart(() => import('../../blacklist/imports/import-tab.tsx'), 'ImportTab');

const tabs = {
  import: { name: 'Import Data', Panel: ImportPanel },
  database: { name: 'Database', Panel: DatabaseTab },
  users: { name: 'User Management', Panel: UsersTab },
  system: { name: 'System', Panel: SystemTab },
};

/** The admin panel: the blacklist in numbers, and tabs for imports, the database, users and the system. */
export function AdminPanelPage() {
  const { search, reset } = useAdminPanel();
  const { tab = 'import', job } = search;
  return (
    <Screen title="Admin Panel" lead="Import domains, and manage the blacklist, user accounts and the server.">
      <StatsCards />
      <Tabs
        value={tab}
        onChange={(next) => void reset({ tab: adminPanelTabs.find((name) => name === next), job })}
        className={styles.panels}
      >
        <Tabs.List className={styles.tabs}>
          {adminPanelTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name].name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {adminPanelTabs.map((name) => {
          const { Panel } = tabs[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Screen>
  );
}

/** The id of the watched import is in the URL, so that it survives a reload. */
function ImportPanel() {
  const queries = useQueryClient();
  const { search, show } = useAdminPanel();
  return (
    <Suspense fallback={<PendingMarker />}>
      <ImportTab jobId={search.job} onWatch={(job) => show({ job })} onImported={() => void refreshAllData(queries)} />
    </Suspense>
  );
}
