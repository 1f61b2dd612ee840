import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { ImportTab } from '../imports/imports.tsx';
import { Screen } from '../ui/screen.tsx';
import { PendingMarker } from '../ui/states.tsx';
import styles from './admin-panel-page.module.css';
import { DatabaseTab } from './database-tab.tsx';
import { forgetBlacklist, usePanel } from './queries.ts';
import { adminPanelTabs } from './search.ts';
import { StatsCards } from './stats-cards.tsx';
import { SystemTab } from './system-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const tabs = {
  import: { name: 'Import Data', Panel: ImportPanel },
  database: { name: 'Database', Panel: DatabaseTab },
  users: { name: 'User Management', Panel: UsersTab },
  system: { name: 'System', Panel: SystemTab },
};

/** The admins' workbench: the blacklist in numbers, imports, and work on the database as a whole. */
export function AdminPanelPage() {
  const { tab, goToTab } = usePanel();
  return (
    <Screen title="Admin Panel" lead="Import domains, look after the blacklist, the accounts and the server.">
      <StatsCards />
      <Tabs
        value={tab}
        onChange={(next) => void goToTab(adminPanelTabs.find((name) => name === next))}
        keepMounted={false}
        mt="xl"
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
            <Tabs.Panel key={name} value={name} pt="lg">
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Screen>
  );
}

/** The import that is watched is in the address, so that a reload finds it again. */
function ImportPanel() {
  const queries = useQueryClient();
  const { search, go } = usePanel();
  return (
    <Suspense fallback={<PendingMarker />}>
      <ImportTab jobId={search.job} onWatch={(job) => go({ job })} onImported={() => void forgetBlacklist(queries)} />
    </Suspense>
  );
}
