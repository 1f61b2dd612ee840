import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Analysis } from '#shared/backlinks.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { toast } from '../ui/toast.tsx';
import { analysisQuery } from './queries.ts';
import { completionWords } from './use-finish-analysis.ts';
import { analysisFailed } from './use-start-analysis.ts';

/** Tells what came of analyses that run no more, and has the lists with their reports asked for again. */
export function useNotifyWhenFinished(running: readonly Analysis[]): void {
  const queries = useQueryClient();
  const before = useRef(running);
  useEffect(() => {
    const ended = before.current.filter((one) => !running.some(({ analysisId }) => analysisId === one.analysisId));
    before.current = running;
    if (ended.length === 0) return;
    void queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    void queries.invalidateQueries({ queryKey: ['reports', 'of-profile'] });
    for (const { analysisId } of ended) void tellOf(analysisId, queries);
  }, [running, queries]);
}

async function tellOf(id: string, queries: QueryClient): Promise<void> {
  const query = analysisQuery(id);
  // Whoever watched it to its end has been told.
  const known = queries.getQueryData(query.queryKey);
  if (known && known.status !== 'processing') return;
  // Where that can not be asked, the lists show what came of it.
  const analysis = await queries.fetchQuery(query).catch(() => undefined);
  if (analysis?.status === 'failed') {
    toast({ title: 'Analysis Failed', description: analysisFailed, tone: 'destructive' });
  } else if (analysis?.result) {
    const description = `${analysis.fileName}: ${completionWords(analysis.result)}`;
    toast({ title: 'Analysis Complete', description, tone: 'success' });
  }
}
