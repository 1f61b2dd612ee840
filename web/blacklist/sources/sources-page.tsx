import { Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { retrySourceRun, type SourceRun } from '#shared/blacklist/sources.ts';
import { call } from '../../platform/api.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunFailure, RunProgress } from '../../ui/run-progress.tsx';
import screen from '../../ui/screen.module.css';
import { Screen } from '../../ui/screen.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { FamiliesTab } from './families-tab.tsx';
import { refreshSources, sourceRunsQuery } from './queries.ts';
import { sourcesSearch } from './search.ts';
import styles from './sources.module.css';
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

/** The changes that are updating domains, with their progress, and those that failed. */
function RunningChanges() {
  const queries = useQueryClient();
  const { data: runs } = useQuery({ ...sourceRunsQuery, refetchIntervalInBackground: true });
  const running = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    if (!runs) return;
    const ended = runs.filter(({ id, status }) => status !== 'processing' && running.current.has(id));
    running.current = new Set(runs.filter(({ status }) => status === 'processing').map(({ id }) => id));
    for (const { status, title, message } of ended) {
      if (status === 'failed') toastError(`${title} failed`, message);
      else toastSuccess('Domains updated', `${title}: ${message}.`);
    }
    // Kinds and families also decide about the levels that other screens show.
    if (ended.length > 0) void queries.invalidateQueries();
  }, [runs, queries]);
  const shown = (runs ?? []).filter(({ status }) => status !== 'completed');
  if (shown.length === 0) return null;
  return (
    <section aria-label="Changes in progress" className={styles.runs}>
      {shown.map((run) =>
        run.status === 'failed' ? (
          <FailedChange key={run.id} run={run} />
        ) : (
          <RunProgress
            key={run.id}
            label={run.title}
            name={run.title}
            percent={run.progress}
            statusText={`${run.message}. Started by ${run.startedBy}.`}
          />
        ),
      )}
    </section>
  );
}

function FailedChange({ run }: { run: SourceRun }) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call(retrySourceRun, { params: { id: run.id } }),
    onError: (error) => toastError('Retry failed', error.message),
    onSettled: () => refreshSources(queries),
  });
  return (
    <>
      <RunFailure title={`Failed: ${run.title}`} reason={run.message}>
        <Button size="xs" variant="default" onClick={() => retry.mutate()} loading={retry.isPending}>
          Try again
        </Button>
      </RunFailure>
      <FormError error={retry.error} />
    </>
  );
}
