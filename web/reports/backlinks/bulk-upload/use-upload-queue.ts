import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { maxUnfinishedAnalyses } from '#shared/platform/uploads.ts';
import type { AnalysisResult } from '#shared/reports/backlinks.ts';
import { createWebsite } from '#shared/reports/websites.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { pause } from '../../../platform/pause.ts';
import { isOpen } from '../../../platform/use-run.ts';
import { websitesQuery } from '../../websites/websites.ts';
import { reportsQuery, runningAnalysesQuery } from '../screen.ts';
import { sendExports } from '../start-analysis.ts';
import type { Upload } from './assign.ts';

/** How far the files of one website are. */
export type UploadState =
  | { at: 'waiting' }
  /** `share` of the files has been sent, 0 to 1. */
  | { at: 'sending'; share: number; isInterrupted?: boolean }
  | { at: 'started'; analysisId: string }
  | { at: 'done'; result: AnalysisResult }
  | { at: 'failed'; message: string }
  | { at: 'stopped' };

export interface QueuedUpload extends Upload {
  state: UploadState;
}

/** How often to look whether another analysis may start. */
const pollMs = 2000;

/**
 * Sends the files of one website after the other, and starts an analysis of each. Waits while the user has as many
 * unfinished analyses as the server allows. A website that fails does not stop the others.
 */
export function useUploadQueue() {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly QueuedUpload[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  function setState(index: number, state: UploadState): void {
    setUploads((now) => now.map((one, at) => (at === index ? { ...one, state } : one)));
  }

  async function start(list: readonly Upload[]): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    setUploads(list.map((upload) => ({ ...upload, state: { at: 'waiting' } })));
    for (const [index, upload] of list.entries()) {
      try {
        setState(index, await send(upload, (state) => setState(index, { at: 'sending', ...state }), signal));
      } catch (error) {
        if (signal.aborted) setState(index, { at: 'stopped' });
        else setState(index, { at: 'failed', message: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  async function send(
    upload: Upload,
    onState: (sending: { share: number; isInterrupted?: boolean }) => void,
    signal: AbortSignal,
  ): Promise<UploadState> {
    for (;;) {
      await waitForTurn(signal);
      const websiteId = upload.websiteId ?? (await findOrCreateWebsite(upload.domain));
      let share = 0;
      onState({ share });
      try {
        const fields = { profileId: String(websiteId), ask: '1' };
        const response = await sendExports(upload.files, fields, {
          onProgress(sent) {
            share = sent;
            onState({ share });
          },
          onOutage: (isInterrupted) => onState({ share, isInterrupted }),
          signal,
        });
        void queries.invalidateQueries({ queryKey: runningAnalysesQuery.queryKey });
        if ('analysisId' in response) return { at: 'started', analysisId: response.analysisId };
        void queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
        void queries.invalidateQueries({ queryKey: reportsQuery(websiteId).queryKey });
        return { at: 'done', result: response };
      } catch (error) {
        // An analysis was started elsewhere in the meantime.
        if (!(error instanceof ApiError && error.status === 429)) throw error;
        await pause(pollMs, signal);
      }
    }
  }

  /** Creates a website, or finds the one of the user, who can have added it in the meantime. */
  async function findOrCreateWebsite(domain: string): Promise<number> {
    try {
      return (await call(createWebsite, { body: { domain, forUpload: true } })).id;
    } catch (error) {
      const existing = error instanceof ApiError ? error.body.existingProfileId : undefined;
      if (typeof existing === 'number') return existing;
      throw error;
    }
  }

  /** Waits until another analysis may start. @throws if the upload is stopped */
  async function waitForTurn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // If the list cannot be loaded, the upload tells why.
      const running = await queries.fetchQuery(runningAnalysesQuery).catch(() => []);
      signal.throwIfAborted();
      if (running.filter(isOpen).length < maxUnfinishedAnalyses) return;
      await pause(pollMs, signal);
    }
  }

  const isSending = uploads.some(({ state }) => state.at === 'waiting' || state.at === 'sending');
  return {
    uploads,
    /** Whether files remain in the browser. They are lost if the page is closed. */
    isSending,
    start,
    /** Stops what has not been sent. Analyses that have started continue. */
    stop: () => abort.current?.abort(),
  };
}
