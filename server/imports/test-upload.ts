import { setTimeout as delay } from 'node:timers/promises';
import type { ImportStatus } from '#shared/imports.ts';
import type { TestApp } from '../test-app.fixtures.ts';

/** Sends a file as the importer's form does. */
export function upload({ call }: TestApp, as: string, content: string | Buffer, fileName = 'list.csv') {
  const boundary = 'a-boundary-that-no-file-holds';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: text/csv\r\n\r\n`;
  return call('POST', '/api/domains/upload', {
    as,
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

/** Polls the status until `isReached`, by default until the import has ended. */
export async function statusWhen(
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
    if (status.status !== 'processing') throw new Error(`The import has ended: ${JSON.stringify(status)}`);
    await delay(100);
  }
}
