import type { Db } from '../db/database.ts';
import { updateProgress } from './store-run.ts';

const lookEvery = 500;

export interface AnalysisWatch {
  /** Aborts when the analysis was cancelled, or is gone with its profile. */
  ended: AbortSignal;
  /** `share` of the work done, 0 to 1, and what is being done. */
  note(share: number, message: string): void;
  stop(): Promise<void>;
}

/** Writes the progress of an analysis to its row twice a second, and finds out there when it is to end. */
export function watchAnalysis(db: Db, id: string, onError: (error: unknown) => void): AnalysisWatch {
  const ended = new AbortController();
  let now = { progress: 0, message: 'Reading the file' };
  let writing = Promise.resolve();
  const look = async () => {
    if (!(await updateProgress(db, id, now.progress, now.message))) ended.abort();
  };
  const timer = setInterval(() => {
    writing = writing.then(look).catch(onError);
  }, lookEvery);
  return {
    ended: ended.signal,
    note(share, message) {
      now = { progress: Math.min(99, Math.floor(share * 100)), message };
    },
    stop() {
      clearInterval(timer);
      return writing;
    },
  };
}
