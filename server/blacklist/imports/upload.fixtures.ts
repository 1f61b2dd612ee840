import { setTimeout as delay } from 'node:timers/promises';
import type { ImportStatus } from '#shared/blacklist/imports.ts';
import type { TestApp } from '../../test-app.fixtures.ts';

interface UploadOptions {
  fileName?: string | undefined;
  fields?: Record<string, string>;
  /** Below `/api/domains`. */
  path?: string;
}

/** Uploads a file as the importer's form does. */
export function uploadImport(
  { call }: TestApp,
  as: string,
  content: string | Buffer,
  { fileName = 'list.csv', fields = {}, path = 'upload' }: UploadOptions = {},
) {
  const boundary = 'a-boundary-that-no-file-contains';
  const texts = Object.entries(fields).map(
    ([name, text]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const head = `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: text/csv\r\n\r\n`;
  return call('POST', `/api/domains/${path}`, {
    as,
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

/**
 * Polls the status until `isReached` returns true, by default until the import has finished.
 * @throws if it finishes before
 */
export async function waitForImport(
  { call }: TestApp,
  as: string,
  jobId: string,
  isReached = (status: ImportStatus) => status.status !== 'processing',
): Promise<ImportStatus> {
  for (;;) {
    const response = await call('GET', `/api/domains/import-status/${jobId}`, { as });
    if (response.statusCode !== 200) throw new Error(response.body);
    const status = response.json() as ImportStatus;
    if (isReached(status)) return status;
    if (status.status !== 'processing') throw new Error(`The import has already finished: ${JSON.stringify(status)}`);
    await delay(100);
  }
}
