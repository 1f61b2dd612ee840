import { useEffect, useRef, useState } from 'react';
import { maxUploadBytes } from '#shared/platform/uploads.ts';
import {
  type Analysis,
  type AnalysisResult,
  analyzeBacklinks,
  getAnalysis,
  maxUploadFiles,
} from '#shared/reports/backlinks.ts';
import { createWebsite, duplicateWebsiteMessage, type Website } from '#shared/reports/websites.ts';
import { ApiError, call } from '../../platform/api.ts';
import { pause } from '../../platform/pause.ts';
import { uploadResumably } from '../../platform/upload.ts';
import { toast, toastSuccess } from '../../ui/toast.tsx';

/** The pause between creating a website and analyzing the chosen files. */
const pauseAfterCreationMs = 1000;

export type StartStep = 'idle' | 'creating' | 'created' | 'uploading' | 'interrupted' | 'reading';

/** Why an analysis could not start. `existingProfileId` is set if the user already has this website. */
export interface StartProblem {
  at: 'website' | 'file';
  error: ApiError;
  existingProfileId?: number;
}

interface Callbacks {
  onRunning(analysis: Analysis): Promise<void>;
  onResult(result: AnalysisResult): Promise<void>;
}

/**
 * Creates the website if it is new, then uploads the files. Failures are shown as toasts and returned in `problem`. The
 * website is hidden until it has a report. Leaving the screen cancels the upload.
 */
export function useStartAnalysis(callbacks: Callbacks) {
  const [step, setStep] = useState<StartStep>('idle');
  const [share, setShare] = useState(0);
  const [problem, setProblem] = useState<StartProblem>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function start(draft: AnalysisDraft): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setProblem(undefined);
    let at: StartProblem['at'] = 'website';
    try {
      const websiteId =
        draft.mode === 'new' ? await addWebsite(toWebsiteDomain(draft.domain), controller.signal) : draft.websiteId;
      if (websiteId === null || draft.files.length === 0) return;
      at = 'file';
      await sendFiles(draft.files, websiteId, controller.signal);
    } catch (error) {
      if (error instanceof ApiError) fail(at, error);
      else if (!controller.signal.aborted) throw error;
    } finally {
      setStep('idle');
    }
  }

  async function addWebsite(domain: string, signal: AbortSignal): Promise<number> {
    setStep('creating');
    const website = await call(createWebsite, { body: { domain, forUpload: true }, signal });
    toastSuccess('Profile Created', `The upload for ${website.domain} starts now.`);
    setStep('created');
    await pause(pauseAfterCreationMs, signal);
    return website.id;
  }

  async function sendFiles(files: readonly File[], websiteId: number, signal: AbortSignal): Promise<void> {
    setShare(0);
    setStep('uploading');
    const onProgress = (sent: number) => {
      setShare(sent);
      if (sent >= 1) setStep('reading');
    };
    const fields = { profileId: String(websiteId), ask: '1' };
    const onOutage = (isInterrupted: boolean) => setStep(isInterrupted ? 'interrupted' : 'uploading');
    const response = await sendExports(files, fields, { onProgress, onOutage, signal });
    if ('analysisId' in response) await callbacks.onRunning(response);
    else await callbacks.onResult(response);
  }

  function fail(at: StartProblem['at'], error: ApiError): void {
    const existing = error.body.existingProfileId;
    setProblem({ at, error, ...(typeof existing === 'number' && { existingProfileId: existing }) });
    toast({ ...getFailureToast(at, error), tone: 'destructive' });
  }

  return {
    step,
    /** The share of the files that has been sent, 0 to 1. */
    share,
    problem,
    isBusy: step !== 'idle',
    /** Whether the website exists, and its files are on their way to an analysis. */
    isSending: step === 'uploading' || step === 'interrupted' || step === 'reading',
    start,
    cancel: () => abort.current?.abort(),
    clearProblem: () => setProblem(undefined),
  };
}

/** Uploads the files of an analysis, also over a connection that breaks. @throws ApiError */
export function sendExports(
  files: readonly File[],
  fields: Record<string, string>,
  options: {
    onProgress(share: number): void;
    onOutage(isInterrupted: boolean): void;
    signal: AbortSignal;
  },
): Promise<Analysis | AnalysisResult> {
  const findStarted = (id: string) => call(getAnalysis, { params: { id } });
  return uploadResumably(analyzeBacklinks, files, fields, { ...options, findStarted });
}

function getFailureToast(at: StartProblem['at'], error: ApiError): { title: string; description: string } {
  if (at === 'file') return { title: 'Analysis Failed', description: analysisFailedMessage };
  if (error.status === 409) return { title: 'Domain Already Exists', description: duplicateWebsiteMessage };
  return { title: 'Error Creating Profile', description: error.message };
}

export const analysisFailedMessage = 'Failed to analyze backlinks. Please check file format and try again.';

/** The values of the analyze dialog. They survive closing it, so that rejected files stay selected. */
export interface AnalysisDraft {
  mode: 'new' | 'existing';
  /** The domain of the new website as typed. */
  domain: string;
  /** The website of the 'Existing Website' tab. */
  websiteId: number | null;
  files: readonly File[];
}

export const emptyDraft: AnalysisDraft = { mode: 'new', domain: '', websiteId: null, files: [] };

/** Whether the draft has both a website and files. */
export function isComplete(draft: AnalysisDraft): boolean {
  return draft.files.length > 0 && (draft.mode === 'new' ? draft.domain.trim() !== '' : draft.websiteId !== null);
}

/** The `accept` attribute of a picker for exports. */
export const acceptedFiles =
  '.csv,.tsv,.tab,.txt,.xlsx,.ods,.zip,.gz,text/csv,text/plain,text/tab-separated-values,application/zip,application/gzip';

/** Why these files cannot be uploaded together; undefined if they can. */
export function findFilesProblem(files: readonly Pick<File, 'size'>[]): string | undefined {
  if (files.length > maxUploadFiles) return `Choose up to ${maxUploadFiles} files at a time.`;
  if (files.reduce((sum, { size }) => sum + size, 0) <= maxUploadBytes) return undefined;
  return files.length === 1
    ? 'File size exceeds the limit (200MB)'
    : 'Together, the files exceed the size limit (200 MB). Analyze them in several uploads.';
}

/** The domain of the draft's website; an empty string if none is chosen. */
export function getWebsiteDomain(draft: AnalysisDraft, websites: readonly Website[]): string {
  if (draft.mode === 'new') return toWebsiteDomain(draft.domain);
  return websites.find((website) => website.id === draft.websiteId)?.domain ?? '';
}

/** Removes the scheme, `www.` and path from what the user typed. Returns an empty string if nothing remains. */
export function toWebsiteDomain(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#].*$/s, '');
}

/** What to do after an upload failed. Undefined if the server's message already says it. */
export function adviceFor({ status, message }: Pick<ApiError, 'status' | 'message'>): string | undefined {
  if (status === 400 || status === 415 || status === 422) return fileAdviceFor(message);
  return advice[status] ?? 'Your files are still selected. Try again in a moment.';
}

const advice: Record<number, string> = {
  0: 'Your files are still selected. Try again when you are back online.',
  401: 'Sign in, then choose the files again.',
  404: 'The website may have been deleted. Choose another one.',
  413: 'Split the export into smaller files, or export the referring domains instead of all backlinks.',
  429: 'Wait for your other analyses to finish, then try again. Your files are still selected.',
};

/** What to do about a file that could not be read. Undefined if the server's message already says it. */
export function fileAdviceFor(message: string): string | undefined {
  return /\bexport\b/i.test(message) ? undefined : fileAdvice;
}

const fileAdvice =
  "In your SEO tool, export your website's backlinks or referring domains as CSV or Excel, then choose that file.";
