import { HttpError } from '../http/errors.ts';

/** Stored files cannot be reached right now. Requests get 503; a run waits and shows `progress` until they can. */
export class FilesUnavailable extends HttpError {
  readonly progress: string;

  constructor(progress: string, cause?: unknown) {
    const message = 'The file storage is not available right now. Please try again in a moment.';
    super(503, 'unavailable', message, { headers: { 'retry-after': '10' } });
    this.name = 'FilesUnavailable';
    this.progress = progress;
    this.cause = cause;
  }
}

export const waitingForStorage = 'Waiting for the file storage';
export const waitingForSpace = 'Waiting for disk space. The server has too little left.';
