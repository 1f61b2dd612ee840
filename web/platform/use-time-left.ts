import { useEffect, useRef, useState } from 'react';
import { plural } from './format.ts';

/** A part of a run with a speed of its own: the upload, or the work of the server that follows it. */
export interface Phase {
  name: string;
  /** 0 to 100. */
  percent: number;
}

/** A phase, and how far both phases are together. */
interface TwoPhases {
  percent: number;
  phase: Phase;
}

/** The first half of an upload and the analysis that follows it. @param share 0 to 1 */
export const toUploadPhase = (share: number): TwoPhases => ({
  percent: Math.round(50 * share),
  phase: { name: 'Uploading', percent: share * 100 },
});

/** The second half. @param percent 0 to 100 */
export const toAnalysisPhase = (percent: number): TwoPhases => ({
  percent: 50 + Math.round(percent / 2),
  phase: { name: 'Analyzing', percent },
});

/** 'about 2 minutes left', computed from the speed of the phase so far. Undefined until that is known. */
export function useTimeLeft(phase: Phase | undefined): string | undefined {
  const start = useRef<Phase & { at: number }>(undefined);
  const [text, setText] = useState<string>();
  const { name, percent } = phase ?? {};
  useEffect(() => {
    const at = performance.now();
    if (name === undefined || percent === undefined) start.current = undefined;
    else if (start.current?.name !== name || percent < start.current.percent) start.current = { name, percent, at };
    const from = start.current;
    setText(from && percent !== undefined ? formatTimeLeft(from.percent, percent, at - from.at) : undefined);
  }, [name, percent]);
  return text;
}

/** A speed is known after this time and this progress. */
const minElapsedMs = 3000;
const minPercent = 4;

/** @param elapsedMs how long it took from one percentage to the other */
export function formatTimeLeft(from: number, to: number, elapsedMs: number): string | undefined {
  if (elapsedMs < minElapsedMs || to - from < minPercent || to >= 100) return undefined;
  const seconds = ((100 - to) * elapsedMs) / (to - from) / 1000;
  if (seconds < 10) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  if (seconds < 55 * 60) return `about ${plural(Math.round(seconds / 60), 'minute')} left`;
  return `about ${plural(Math.round(seconds / 3600), 'hour')} left`;
}
