import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Analysis, type AnalysisResult, analyzeBacklinks } from '#shared/backlinks.ts';
import { addProfile, duplicateProfile, type Profile } from '#shared/profiles.ts';
import { ApiError, call, upload } from '../lib/api.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { toast, toastSuccess } from '../ui/toast.tsx';

/** Milliseconds between the creation of a website and the analysis of the chosen file. */
const pauseAfterCreation = 1000;

export type StartStep = 'idle' | 'creating' | 'created' | 'uploading' | 'reading';

/** Why the start failed. `existingProfileId` is there when the website is already one of the caller's own. */
export interface StartProblem {
  at: 'website' | 'file';
  error: ApiError;
  existingProfileId?: number;
}

interface Callbacks {
  /** A new website exists from here on, even when the analysis fails. */
  onProfile(profileId: number): void;
  onRunning(analysis: Analysis): void;
  onResult(result: AnalysisResult): void;
}

/** Creates the website if it is new and sends the file. Failures are shown as toasts and in `problem`. */
export function useStartAnalysis(callbacks: Callbacks) {
  const queries = useQueryClient();
  const [step, setStep] = useState<StartStep>('idle');
  const [share, setShare] = useState(0);
  const [problem, setProblem] = useState<StartProblem>();
  const abort = useRef<AbortController>(null);

  async function start(draft: AnalysisDraft): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setProblem(undefined);
    let at: StartProblem['at'] = 'website';
    try {
      const profileId =
        draft.mode === 'new' ? await createProfile(websiteName(draft.domain), controller.signal) : draft.profileId;
      if (profileId === null || draft.file === null) return;
      at = 'file';
      await sendFile(draft.file, profileId, controller.signal);
    } catch (error) {
      if (error instanceof ApiError) fail(at, error);
      else if (!controller.signal.aborted) throw error;
    } finally {
      setStep('idle');
    }
  }

  async function createProfile(domain: string, signal: AbortSignal): Promise<number> {
    setStep('creating');
    const profile = await call(addProfile, { body: { domain }, signal });
    toastSuccess('Profile Created', `${profile.domain} was added to your websites.`);
    await queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    callbacks.onProfile(profile.id);
    setStep('created');
    await pause(pauseAfterCreation, signal);
    return profile.id;
  }

  async function sendFile(file: File, profileId: number, signal: AbortSignal): Promise<void> {
    setShare(0);
    setStep('uploading');
    const onProgress = (sent: number) => {
      setShare(sent);
      if (sent >= 1) setStep('reading');
    };
    const answer = await upload(analyzeBacklinks, file, { profileId: String(profileId) }, { onProgress, signal });
    if ('analysisId' in answer) callbacks.onRunning(answer);
    else callbacks.onResult(answer);
  }

  function fail(at: StartProblem['at'], error: ApiError): void {
    const existing = error.body.existingProfileId;
    setProblem({ at, error, ...(typeof existing === 'number' && { existingProfileId: existing }) });
    toast({ ...failureToast(at, error), tone: 'destructive' });
  }

  return {
    step,
    /** How much of the file has left, 0 to 1. */
    share,
    problem,
    isBusy: step !== 'idle',
    start,
    cancel: () => abort.current?.abort(),
    forgetProblem: () => setProblem(undefined),
  };
}

function failureToast(at: StartProblem['at'], error: ApiError): { title: string; description: string } {
  if (at === 'file') return { title: 'Analysis Failed', description: analysisFailed };
  if (error.status === 409) return { title: 'Domain Already Exists', description: duplicateProfile };
  return { title: 'Error Creating Profile', description: error.message };
}

export const analysisFailed = 'Failed to analyze backlinks. Please check file format and try again.';

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The analysis was cancelled.', 'AbortError'));
    });
  });
}

/** What the analyze dialog holds; it outlives the dialog, so that a refused file stays chosen. */
export interface AnalysisDraft {
  mode: 'new' | 'existing';
  /** The new website's name as typed. */
  domain: string;
  /** The website of the 'Existing Website' tab. */
  profileId: number | null;
  file: File | null;
}

export const emptyDraft: AnalysisDraft = { mode: 'new', domain: '', profileId: null, file: null };

/** Whether the draft names both a website and a file. */
export function isComplete(draft: AnalysisDraft): boolean {
  return draft.file !== null && (draft.mode === 'new' ? draft.domain.trim() !== '' : draft.profileId !== null);
}

/** The website that the draft is about, for sentences; empty when none is named. */
export function websiteOf(draft: AnalysisDraft, profiles: readonly Profile[]): string {
  if (draft.mode === 'new') return websiteName(draft.domain);
  return profiles.find((profile) => profile.id === draft.profileId)?.domain ?? '';
}

/** A website's name as a profile takes it, without scheme, `www.` and path. */
export function websiteName(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#].*$/s, '');
}

/** What to do next after an upload was refused. Undefined if the server's own sentence says it. */
export function adviceFor({ status, message }: Pick<ApiError, 'status' | 'message'>): string | undefined {
  if (status === 400 || status === 415 || status === 422) return fileAdviceFor(message);
  return advice[status] ?? 'Your file is still chosen: try again in a moment.';
}

const advice: Record<number, string> = {
  0: 'Your file is still chosen: try again when you are back online.',
  401: 'Sign in again, then choose the file once more.',
  404: 'The website may have been deleted. Choose another one.',
  413: 'Split the export into smaller files, or export the referring domains instead of every single backlink.',
  429: 'Wait for your other analyses to finish, then try again. Your file is still chosen.',
};

/** What to do about a file that was not understood. Undefined if its refusal says it. */
export function fileAdviceFor(refusal: string): string | undefined {
  return /\bexport\b/i.test(refusal) ? undefined : fileAdvice;
}

const fileAdvice =
  'Export the backlinks or the referring domains of your website from your SEO tool as CSV, TSV or plain text, and choose that file.';
