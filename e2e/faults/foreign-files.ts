import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeparateServer } from '../separate-server.ts';
import { type ForeignFile, foreignFiles } from './foreign-archives.ts';
import { startOtherPerson, toMedian } from './other-person.ts';
import type { Trial } from './trial.ts';
import { createOwner, listDomain, type Owner, readPeakMemory, waitForAnalysis } from './uploads.ts';
import { get, post, signIn, waitFor, withServer } from './with-server.ts';

const measureMs = 5000;
const allowedMegabytes = 600;
/** The processes that read the files use both cores. */
const allowedFactor = 3;
/** Below this time, nobody notices a factor. */
const unnoticedMs = 50;
/** A response this late was not delayed by other work, but by a server that stood still. */
const allowedWorstMs = 1000;

/** The accounts and the list server of the trial. */
interface Setting {
  server: SeparateServer;
  cookie: string;
  owner: Owner;
  /** Uploads disavow files: an analysis locks the website of its owner. */
  other: Owner;
  /** Serves the current file, at any path. */
  listUrl: string;
}

/** Sends a file to one of the entrances, and waits until it has been read. @returns the status, or how its run ended */
type Entrance = (setting: Setting, file: { name: string; content: Uint8Array<ArrayBuffer> }) => Promise<string>;

let visitors = 0;

const entrances: Record<string, Entrance> = {
  async list({ server }, file) {
    visitors += 1;
    const network = { 'x-forwarded-for': `192.0.2.${visitors}` };
    return String((await send(server, '/api/domain-lists', { file }, network)).status);
  },
  async preview({ server, owner }, file) {
    const response = await send(server, '/api/backlinks/preview', { backlinkFile: file }, { cookie: owner.cookie });
    return String(response.status);
  },
  async analysis({ server, owner }, file) {
    const form = { profileId: String(owner.websiteId), backlinkFile: file };
    const { status, body } = await send(server, '/api/backlinks/analyze', form, { cookie: owner.cookie });
    const { analysisId } = JSON.parse(body);
    return analysisId ? (await waitForAnalysis(server, owner, analysisId)).status : String(status);
  },
  async disavow({ server, other: owner }, file) {
    const path = `/api/profiles/${owner.websiteId}/disavow-files`;
    const { status, body } = await send(server, path, { file }, { cookie: owner.cookie });
    if (status !== 201) return String(status);
    const { id } = JSON.parse(body);
    for (const part of ['', '/lines', `/changes?since=${id}`, '/merged.txt', '/reavow.txt']) {
      const response = await fetch(`${server.address}${path}/${id}${part}`, { headers: { cookie: owner.cookie } });
      await response.arrayBuffer();
      if (!response.ok) return String(response.status);
    }
    return String(status);
  },
  async import({ server, cookie }, file) {
    const { status, body } = await send(server, '/api/domains/upload', { file, source: 'A market' }, { cookie });
    const { jobId } = JSON.parse(body);
    if (!jobId) return String(status);
    return await waitFor(async () => {
      const { status: now } = await get<{ status: string }>(server, `/api/domains/import-status/${jobId}`, cookie);
      return now === 'processing' ? undefined : now;
    });
  },
  async feed({ server, cookie, listUrl }, { name }) {
    const url = `${listUrl}/${name}`;
    const input = { name, url, format: 'auto', kind: 'block', sourceKind: 'list', intervalHours: 24 };
    const response = await post(server, '/api/admin/feeds', input, cookie);
    if (response.status !== 201) return String(response.status);
    const { id } = (await response.json()) as { id: number };
    return await waitFor(async () => {
      const [run] = await get<{ status: string }[]>(server, `/api/admin/feeds/${id}/runs`, cookie);
      return run && run.status !== 'running' ? run.status : undefined;
    });
  },
};

/** A file of a stranger must not end the server, or keep it from answering others. */
export const foreignFilesTrial: Trial = {
  name: 'foreign-files',
  short: true,
  fault: `${foreignFiles.length} archives and tables that become large or take long, each as ${Object.keys(entrances).join(', ')} at the same time`,
  promise: `The server stays up and under ${allowedMegabytes} MB; pages of another person take at most ${allowedFactor} times as long as on an idle server, or ${unnoticedMs} ms (medians), and never ${allowedWorstMs} ms`,
  run: async () => {
    await using lists = await serveLists();
    return await withServer(
      async (server) => {
        await listDomain(server, 'listed.example');
        const setting = {
          server,
          cookie: await signIn(server),
          owner: await createOwner(server),
          other: await createOwner(server),
          listUrl: lists.url,
        };
        const pid = server.pid();
        await using person = startOtherPerson(`${server.address}/api/profiles`, (await createOwner(server)).cookie);
        await delay(measureMs);
        await person.takeTimes();
        await delay(measureMs);
        const idleMs = toMedian(await person.takeTimes());
        const ends = new Map<string, number>();
        let worst: [ms: number, name: string] = [0, ''];
        const all: number[] = [];
        for (const file of foreignFiles) {
          await sendEverywhere(setting, file, lists, ends);
          const times = await person.takeTimes();
          const slowest = Math.max(...times);
          if (slowest > worst[0]) worst = [slowest, file.name];
          all.push(...times);
          if (server.pid() !== pid || !(await fetch(`${server.address}/readyz`)).ok)
            throw new Error(`${file.name}: the server no longer answers.`);
        }
        const peak = await readPeakMemory(pid);
        const median = toMedian(all);
        const results = [...ends].toSorted().map(([end, times]) => `${times} × ${end}`);
        const errors = server.output().match(/"level":[56]0/g)?.length ?? 0;
        const figures =
          `${idleMs.toFixed(0)} ms idle, ${median.toFixed(0)} ms meanwhile, worst ${worst[0].toFixed(0)} ms (${worst[1]}); ` +
          `${peak.toFixed(0)} MB; ${errors} errors in the log; ${results.join(', ')}`;
        const isSlow = median > Math.max(unnoticedMs, idleMs * allowedFactor) || worst[0] > allowedWorstMs;
        if (isSlow || peak > allowedMegabytes || errors > 0 || ends.has('500')) throw new Error(figures);
        return figures;
      },
      { TRUST_PROXY: '1', ALLOW_PRIVATE_ADDRESSES: '1' },
    );
  },
};

async function sendEverywhere(
  setting: Setting,
  { name, build }: ForeignFile,
  lists: ListServer,
  ends: Map<string, number>,
): Promise<void> {
  const file = { name, content: new Uint8Array(build()) };
  lists.content = file.content;
  const start = performance.now();
  const found = await Promise.all(
    Object.entries(entrances).map(async ([entrance, enter]) => {
      const end = await enter(setting, file);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      return `${entrance} ${end} after ${((performance.now() - start) / 1000).toFixed(1)} s`;
    }),
  );
  process.stderr.write(`  ${name}, ${Math.ceil(file.content.length / 1000)} kB: ${found.join(', ')}\n`);
}

type FormFields = Record<string, string | { name: string; content: Uint8Array<ArrayBuffer> }>;

async function send({ address }: SeparateServer, path: string, fields: FormFields, headers: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([value.content]), value.name);
  }
  const options = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers }, body: form };
  const response = await fetch(`${address}${path}`, options);
  return { status: response.status, body: await response.text() };
}

interface ListServer extends AsyncDisposable {
  url: string;
  content: Uint8Array;
}

async function serveLists(): Promise<ListServer> {
  const lists = { url: '', content: new Uint8Array() };
  const server = createServer((_, response) => response.end(lists.content)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  lists.url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  return Object.assign(lists, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
