import { Tabs } from '@mantine/core';
import { useListUrl } from '../../platform/use-list-url.ts';
import screen from '../../ui/screen.module.css';
import { Screen } from '../../ui/screen.tsx';
import { FamiliesTab } from './families-tab.tsx';
import { RunningChanges } from './running-changes.tsx';
import { sourcesSearch } from './search.ts';
import { SourcesTab } from './sources-tab.tsx';

/** The admin screen of sources: the list of sources, and the families of sources that copy from each other. */
export function SourcesPage() {
  const listUrl = useListUrl(sourcesSearch);
  const { tab = 'sources' } = listUrl.search;
  return (
    <Screen title="Sources" lead="Manage the sources that list domains. Sources that copy from each other count once.">
      <RunningChanges />
      <Tabs
        value={tab}
        onChange={(next) =>
          void listUrl.show({ tab: next === 'families' ? next : undefined, search: undefined, kind: undefined })
        }
      >
        <Tabs.List className={screen.tabs}>
          <Tabs.Tab value="sources">All sources</Tabs.Tab>
          <Tabs.Tab value="families">Families</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sources">
          <SourcesTab search={listUrl.search} show={(patch) => void listUrl.show(patch)} goToPage={listUrl.goToPage} />
        </Tabs.Panel>
        <Tabs.Panel value="families">
          <FamiliesTab />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
