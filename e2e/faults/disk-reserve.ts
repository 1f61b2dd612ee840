import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSmallDisk } from './small-disk.ts';
import type { Trial } from './trial.ts';
import { createOwner, listDomain, type Owner, uploadExport, waitForAnalysis } from './uploads.ts';
import { post, signIn, withServer } from './with-server.ts';

const diskMb = 450;
const reserveMb = 150;
const uploadMb = 8;
/** What is free above the reserve at the start. */
const spareMb = 100;
const megabyte = 1024 * 1024;
const host = 'listed.example';

/** Uploads must not fill the disk that the database is on. */
export const diskReserveTrial: Trial = {
  name: 'disk-reserve',
  fault: `Four accounts upload ${uploadMb} MB twice to a disk with ${spareMb} MB above its reserve`,
  promise: `Uploads return 507 before less than half of the reserve of ${reserveMb} MB is free, and the database works`,
  needsRoot: true,
  run: () =>
    withSmallDisk(diskMb, (disk) =>
      withServer((server) => uploadUntilRefused(server, disk), {
        DATA_DIR: join(disk, 'data'),
        DISK_RESERVE_MB: String(reserveMb),
      }),
    ),
};

async function uploadUntilRefused(server: Parameters<typeof createOwner>[0], disk: string): Promise<string> {
  await listDomain(server, host);
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'other-files'), Buffer.alloc(bavail * bsize - (reserveMb + spareMb) * megabyte));
  const owners: Owner[] = [];
  for (let i = 0; i < 4; i += 1) owners.push(await createOwner(server));
  let leastFree = Number.POSITIVE_INFINITY;
  const timer = setInterval(async () => {
    const { bavail, bsize } = await statfs(disk);
    leastFree = Math.min(leastFree, (bavail * bsize) / megabyte);
  }, 50);
  let accepted = 0;
  let refused = 0;
  const ends = new Set<string>();
  try {
    await Promise.all(
      owners.map(async (owner) => {
        for (let i = 0; i < 2; i += 1) {
          const { status, analysisId, body } = await uploadExport(server, owner, host, uploadMb * megabyte);
          if (status === 507) refused += 1;
          else if (status < 300) accepted += 1;
          else throw new Error(`An upload returned ${status}: ${body}`);
          if (analysisId) ends.add((await waitForAnalysis(server, owner, analysisId)).status);
        }
      }),
    );
  } finally {
    clearInterval(timer);
  }
  const ready = await fetch(`${server.address}/readyz`);
  const written = await post(server, '/api/domains', { domain: 'b.example', source: 'fiverr' }, await signIn(server));
  const figures =
    `${accepted} accepted (analyses ${[...ends].join(', ')}), ${refused} refused with 507; at least ` +
    `${leastFree.toFixed(0)} MB free; /readyz ${ready.status}`;
  if (refused === 0 || accepted === 0 || leastFree < reserveMb / 2 || !ready.ok || !written.ok)
    throw new Error(figures);
  return figures;
}
