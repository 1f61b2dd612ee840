import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { retrySourceRun, type SourceRun } from '#shared/blacklist/sources.ts';
import { call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunFailure, RunProgress } from '../../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { refreshSources, sourceRunsQuery } from './queries.ts';
import styles from './sources.module.css';

/** The changes that are updating domains, with their progress, and those that failed. */
export function RunningChanges() {
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
