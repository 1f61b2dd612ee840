import { randomBytes } from 'node:crypto';
import { rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeparateServer } from '../separate-server.ts';
import { fillDisk, withSmallDisk } from './small-disk.ts';
import type { Trial } from './trial.ts';
import { createOwner, listDomain, type Owner } from './uploads.ts';
import { get, post, signIn, waitFor, withServer } from './with-server.ts';

const megabyte = 1024 * 1024;
/**
 * An hour at 1,200 requests a minute could write 72,000 times up to 2 MB. The small disk represents a larger one: the
 * account reaches its reserve within the first 1,200 requests, and writes on for two more minutes.
 */
const diskMb = 800;
const reserveMb = 200;
const seconds = 150;
const host = 'listed.example';

/** One account must fill the disk neither past its reserve nor so that the database cannot start. */
export const accountFillsDiskTrial: Trial = {
  name: 'account-fills-disk',
  fault: `One account writes in every way, at the limit of requests, for ${seconds} s on a disk of ${diskMb} MB. Then other files fill it`,
  promise: `At least the reserve of ${reserveMb} MB stays free. On the full disk, the server starts and an admin can delete`,
  needsRoot: true,
  run: () =>
    withSmallDisk(diskMb, (disk) =>
      withServer(
        async (server) => {
          await listDomain(server, host);
          const owner = await createOwner(server);
          const written = await writeEverything(server, owner, disk);
          return `${written}; ${await startOnFullDisk(server, disk)}`;
        },
        { DATA_DIR: join(disk, 'data'), DISK_RESERVE_MB: String(reserveMb), STORAGE_LIMIT_MB: '0', WEBSITE_LIMIT: '0' },
      ),
    ),
};

const readFreeMb = async (disk: string) => {
  const { bavail, bsize } = await statfs(disk);
  return (bavail * bsize) / megabyte;
};

async function writeEverything(server: SeparateServer, owner: Owner, disk: string): Promise<string> {
  const statuses = new Map<number, number>();
  let leastFree = Number.POSITIVE_INFINITY;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      leastFree = Math.min(leastFree, await readFreeMb(disk));
      await delay(20);
    }
  })();
  const end = Date.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (let i = 0; Date.now() < end; i += 1) {
        const { status } = await sendWrite(server, owner, lane * 1_000_000 + i);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // The limit of requests is reached.
        if (status === 429 && i % 20 === 0) await delay(200);
      }
    }),
  ).finally(() => watching.abort());
  await watch;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const figures = `${counts}, at least ${leastFree.toFixed(0)} MB free`;
  const isReached = (statuses.get(507) ?? 0) > 100;
  if (leastFree < reserveMb || !isReached || [...statuses.keys()].some((status) => status >= 500 && status !== 507))
    throw new Error(figures);
  return figures;
}

const ways = [
  'decisions',
  'decisions',
  'decisions',
  'website',
  'name',
  'view',
  'list',
  'contact',
  'webhook',
  'key',
] as const;

/** Sends one of the requests by which an account adds rows. */
function sendWrite(server: SeparateServer, { cookie, websiteId }: Owner, i: number): Promise<Response> {
  const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');
  const send = (method: string, path: string, body: object) =>
    fetch(`${server.address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    });
  switch (ways[i % ways.length]) {
    case 'website':
      return send('POST', '/api/profiles', { domain: `made${i}.example`, description: text(200) });
    case 'name':
      return send('PATCH', '/api/account', { displayName: text(100) });
    case 'view':
      return send('POST', '/api/views', { name: text(40), query: {} });
    case 'list':
      return send('POST', '/api/domain-lists', {
        text: Array.from({ length: 500 }, () => `${text(20)}.example`).join('\n'),
      });
    case 'contact':
      return send('POST', '/api/contact', {
        name: 'A user',
        email: 'a@mail.example',
        subject: text(100),
        message: text(2000),
      });
    case 'webhook':
      return send('POST', '/api/webhooks', { url: `https://hooks.example/${text(500)}`, events: ['report.completed'] });
    case 'key':
      return send('POST', '/api/api-keys', { name: text(20) });
    default: {
      const domains = Array.from({ length: 1000 }, (_, row) => `d${i}x${row}.example`);
      return send('PUT', `/api/profiles/${websiteId}/decisions`, { domains, decision: 'disavow', note: text(500) });
    }
  }
}

/** Fills the disk with another file, and starts the server again while it is full. */
async function startOnFullDisk(server: SeparateServer, disk: string): Promise<string> {
  // The limit of requests per minute is still reached.
  const admin = await waitFor(() => signIn(server), 90_000);
  const websites = await get<{ id: number }[]>(server, '/api/admin/profiles', admin);
  const filler = join(disk, 'other-files');
  await fillDisk(filler);
  // Makes the database write to the full disk.
  for (let i = 0; i < 50; i += 1)
    await post(server, '/api/domains', { domain: `full${i}.example`, source: 'fiverr' }, admin);
  await fillDisk(filler);
  await server.end();
  await fillDisk(filler);
  const freeBefore = await readFreeMb(disk);
  const start = performance.now();
  await server.start();
  const startSeconds = (performance.now() - start) / 1000;
  const cookie = await waitFor(() => signIn(server), 90_000);
  const statuses = new Set<number>();
  for (const { id } of websites) {
    const response = await fetch(`${server.address}/api/admin/profiles/${id}`, {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    statuses.add(response.status);
  }
  const left = await get<object[]>(server, '/api/admin/profiles', cookie);
  await rm(filler);
  const ballast = await waitFor(() => stat(join(disk, 'data/postgres/ballast')), 90_000);
  const figures =
    `${freeBefore.toFixed(0)} MB free: started after ${startSeconds.toFixed(1)} s, ${websites.length - left.length} of ` +
    `${websites.length} websites deleted (${[...statuses].join(', ')}), ballast of ${ballast.size / megabyte} MB back`;
  if (freeBefore > 1 || left.length > 0) throw new Error(figures);
  return figures;
}
