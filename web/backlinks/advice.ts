import type { ApiError } from '../lib/api.ts';

/** What to do next after an upload was refused, as one sentence for below the server's own; none where that says it. */
export function adviceFor(error: Pick<ApiError, 'status' | 'message'>): string | undefined {
  switch (error.status) {
    case 0:
      return 'Your file is still chosen: try again when you are back online.';
    case 401:
      return 'Sign in again, then choose the file once more.';
    case 404:
      return 'The website may have been deleted. Choose another one.';
    case 413:
      return 'Split the export into smaller files, or export the referring domains instead of every single backlink.';
    case 429:
      return 'Wait for your other analyses to finish, then try again. Your file is still chosen.';
    case 400:
    case 415:
    case 422:
      return fileAdviceFor(error.message);
    default:
      return 'Your file is still chosen: try again in a moment.';
  }
}

/** What to do about a file that was not understood; nothing where its refusal says so already. */
export function fileAdviceFor(refusal: string): string | undefined {
  return /\bexport\b/i.test(refusal) ? undefined : fileAdvice;
}

const fileAdvice =
  'Export the backlinks or the referring domains of your website from your SEO tool as CSV, TSV or plain text, and choose that file.';
