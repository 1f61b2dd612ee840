import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImportStatus } from '../../shared/blacklist/imports.ts';
import type { Pagination } from '../../shared/platform/page.ts';
import type { SeparateServer } from '../separate-server.ts';
import { fillDisk, withSmallDisk } from './small-disk.ts';
import type { Trial } from './trial.ts';
import { get, post, signIn, upload, waitFor, withServer } from './with-server.ts';

const diskMb = 600;
const rows = 100_000;
const secondsFull = 20;

/** Other programs fill the disk that the database is on, faster than the reserve can prevent. */
export const diskFullTrial: Trial = {
  name: 'disk-full',
  fault: `Other files fill the disk of the database for ${secondsFull} s, during an import and single changes`,
  promise: 'No acknowledged change is lost, others get 503 or 507, and a failed import says why and can be repeated',
  needsRoot: true,
  run: () =>
    withSmallDisk(diskMb, (disk) =>
      withServer((server) => fillDuringChanges(server, disk), { DATA_DIR: join(disk, 'data'), DISK_RESERVE_MB: '0' }),
    ),
};

async function fillDuringChanges(server: SeparateServer, disk: string): Promise<string> {
  const cookie = await signIn(server);
  const pid = server.pid();
  const importing = await startImport(server, cookie);
  const filler = join(disk, 'other-files');
  const statuses: number[] = [];
  const end = Date.now() + secondsFull * 1000;
  for (let i = 0; Date.now() < end; i += 1) {
    await fillDisk(filler);
    const change = await post(server, '/api/domains', { domain: `single${i}.example`, source: 'fiverr' }, cookie);
    statuses.push(change.status);
    await delay(50);
  }
  await rm(filler);
  const accepted = statuses.filter((status) => status === 201).length;
  const first = await waitForImport(server, cookie, importing);
  const expected = accepted + (first.status === 'completed' ? rows : 0);
  const total = await countDomains(server, cookie);
  const second = await waitForImport(server, cookie, await startImport(server, cookie));
  const totalAfter = await countDomains(server, cookie);
  const figures =
    `${accepted} changes accepted, ${statuses.length - accepted} refused with ${[...new Set(statuses)].filter((status) => status !== 201)}; ` +
    `import ${first.status}, ${total} of ${expected} domains; repeated import ${second.status}, ${totalAfter} of ${accepted + rows}`;
  const areRefusalsRight = statuses.every((status) => [201, 503, 507].includes(status));
  const isTruthful = first.status === 'completed' || first.message.includes('disk space');
  const isWhole = total === expected && totalAfter === accepted + rows && accepted < statuses.length;
  if (!areRefusalsRight || !isTruthful || !isWhole || server.pid() !== pid)
    throw new Error(`${figures}. ${first.message}`);
  return figures;
}

async function startImport(server: SeparateServer, cookie: string): Promise<string> {
  const names = Array.from({ length: rows }, (_, row) => `row${row}.example,Trial`);
  const file = { name: 'trial.csv', content: ['domain,source', ...names].join('\n') };
  return (await upload<ImportStatus>(server, '/api/domains/upload', { field: 'file', file, cookie })).jobId;
}

const waitForImport = (server: SeparateServer, cookie: string, jobId: string) =>
  waitFor(async () => {
    const now = await get<ImportStatus>(server, `/api/domains/import-status/${jobId}`, cookie);
    return now.status === 'processing' ? undefined : now;
  });

const countDomains = async (server: SeparateServer, cookie: string) =>
  (await get<{ pagination: Pagination }>(server, '/api/domains?page=0&pageSize=1', cookie)).pagination.total;
