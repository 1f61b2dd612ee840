import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { createOwner, openUpload } from './uploads.ts';
import { withServer } from './with-server.ts';

const uploads = 201;
const allowed = 5;
const fileBytes = 1024 * 1024;
const part = 'x'.repeat(fileBytes / 2);

/** Uploads under way count toward the limit of their account, and take no space after their connection is lost. */
export const uploadsAtOnceTrial: Trial = {
  name: 'uploads-at-once',
  fault: `One account opens ${uploads} uploads and sends half of each`,
  promise: `${allowed} are received and the others return 429 before they take space; lost connections leave nothing`,
  short: true,
  run: () =>
    withServer(async (server) => {
      const owner = await createOwner(server);
      const opened = Array.from({ length: uploads }, () => openUpload(server, owner, fileBytes));
      const statuses: number[] = [];
      for (const upload of opened) {
        void upload.write(part);
        upload.answer.then(({ status }) => statuses.push(status)).catch(() => statuses.push(0));
      }
      await waitUntil('all but five uploads are refused', () => statuses.length === uploads - allowed);
      const refused = statuses.filter((status) => status === 429).length;
      const { files, bytes } = await measureUploads(server);
      for (const upload of opened) upload.destroy();
      await waitUntil('nothing is left', async () => (await measureUploads(server)).files === 0);
      const figures = `${refused} of ${uploads} refused; ${files} files with ${(bytes / 1024).toFixed(0)} kB at most`;
      if (refused !== uploads - allowed || files > allowed || bytes > allowed * fileBytes) throw new Error(figures);
      const next = openUpload(server, owner, 4);
      await next.write('url\n');
      next.finish();
      const { status } = await next.answer;
      if (status === 429) throw new Error('The next upload returned 429.');
      return figures;
    }),
};

async function measureUploads({ dataDir }: SeparateServer): Promise<{ files: number; bytes: number }> {
  const folder = join(dataDir, 'uploads');
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size)));
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Polls for up to 30 seconds. @throws if the condition does not become true */
async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isTrue()) return;
    await delay(100);
  }
  throw new Error(`Waited 30 s until ${what}.`);
}
