import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findFreePort } from '../../server/net/ports.ts';
import {
  buildRequests,
  type LargeRequest,
  largestBody,
  notCalled,
} from '../../server/security/large-requests.fixtures.ts';
import { rights } from '../../server/security/rights-table.fixtures.ts';
import type { SeparateServer } from '../separate-server.ts';
import { fillAccount, reportDomains, websites } from './large-account.ts';
import { probePort } from './main-thread-probe.ts';
import { addDomains, connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { createOwner, type Owner } from './uploads.ts';
import { post, signIn, withServer } from './with-server.ts';

const parallel = 8;
const maxMainThreadMs = 50;
const allowedFactor = 3;
const unnoticedMs = 50;
/** Requests of the account are stopped after this time, so that downloads do not make the trial take hours. */
const maxCallsMs = 4000;
const blacklistDomains = 100_000;

interface Measured {
  route: string;
  status: string;
  mainThreadMs: number;
  otherMs: number;
}

/** One account with the largest permitted data calls every route, alone and several times at once. */
export const allRoutesTrial: Trial = {
  name: 'all-routes',
  fault: `An account with ${websites} websites and a report of ${reportDomains.toLocaleString('en')} domains calls each route, then ${parallel} times at the same time`,
  promise: `No call occupies the main thread for more than ${maxMainThreadMs} ms, and another person waits at most ${allowedFactor} times as long as on an idle server, or ${unnoticedMs} ms (medians)`,
  async run() {
    const port = await findFreePort();
    const probe = pathToFileURL(new URL('./main-thread-probe.ts', import.meta.url).pathname);
    const settings = {
      TRUST_PROXY: '1',
      PUBLISH_BLACKLIST: '1',
      [probePort]: String(port),
      NODE_OPTIONS: `--import ${probe}`,
    };
    return withServer((server) => measureRoutes(server, `http://127.0.0.1:${port}`), settings);
  },
};

async function measureRoutes(server: SeparateServer, probe: string): Promise<string> {
  const owner = await createOwner(server);
  const other = await createOwner(server);
  const admin = await signIn(server);
  const database = await connectToDatabase(server);
  await addDomains(database, blacklistDomains);
  const { rows } = await database.query<{ user_id: string }>('select user_id from profiles where id = $1', [
    owner.profileId,
  ]);
  const account = await fillAccount(database, Number(rows[0]?.user_id), owner.profileId);
  await database.end();
  const shared = await post(server, `/api/reports/${account.reportId}/share`, {}, owner.cookie);
  const { url } = (await shared.json()) as { url: string };
  const requests = buildRequests({ ...account, shareToken: url.slice(url.lastIndexOf('/') + 1) });
  // Counts what an earlier version has not counted, as the worker does.
  await fetch(`${server.address}/api/profiles`, { headers: { cookie: owner.cookie } }).then((one) => one.text());
  const idleMs = await measureOther(server, other, delay(3000));
  const readProbe = async () => Number(await (await fetch(probe)).text());
  const measured: Measured[] = [];
  for (const [i, route] of Object.keys(rights).entries()) {
    if (notCalled[route] !== undefined) continue;
    const cookie = { owner: owner.cookie, admin, visitor: '' }[requests[route]?.as ?? findRole(route)];
    const send = (number: number, signal: AbortSignal) =>
      call(server, route, requests[route] ?? {}, { cookie, network: `198.18.${i}.${number}`, signal });
    await readProbe();
    const alone = new AbortController();
    const timer = setTimeout(() => alone.abort(), maxCallsMs);
    const status = await send(1, alone.signal);
    clearTimeout(timer);
    const mainThreadMs = await readProbe();
    const end = new AbortController();
    const load = Promise.all(
      Array.from({ length: parallel }, async (_, number) => {
        while (!end.signal.aborted) await send(number + 2, end.signal);
      }),
    );
    const otherMs = await measureOther(server, other, delay(1000));
    end.abort();
    await load;
    measured.push({ route, status, mainThreadMs, otherMs });
  }
  return judge(measured, idleMs);
}

function findRole(route: string): 'owner' | 'admin' | 'visitor' {
  const { visitor, owner } = rights[route] ?? { visitor: 200, owner: 200 };
  if ([visitor].flat().some((status) => status < 400)) return 'visitor';
  return [owner].flat().some((status) => status < 400) ? 'owner' : 'admin';
}

/** @returns the status, or why there is none */
async function call(
  { address }: SeparateServer,
  route: string,
  { params = {}, query, body, form }: LargeRequest,
  { cookie, network, signal }: { cookie: string; network: string; signal: AbortSignal },
): Promise<string> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 0));
  const headers: Record<string, string> = { cookie, 'x-forwarded-for': network, 'sec-fetch-site': 'same-origin' };
  let payload: BodyInit | undefined;
  if (form) {
    const data = new FormData();
    for (const [name, value] of Object.entries(form.fields ?? {})) data.set(name, value);
    data.set(form.field, new Blob([form.content]), 'names.csv');
    payload = data;
  } else if (method !== 'GET') {
    headers['content-type'] = 'application/json';
    payload = JSON.stringify(body ?? largestBody);
  }
  try {
    const url = `${address}${filled}${query ? `?${query}` : ''}`;
    const response = await fetch(url, { method, headers, signal, redirect: 'manual', body: payload ?? null });
    await response.body?.pipeTo(new WritableStream(), { signal });
    return String(response.status);
  } catch (error) {
    if (signal.aborted) return 'stopped';
    return error instanceof Error ? error.message : String(error);
  }
}

/** @returns the median in milliseconds */
async function measureOther({ address }: SeparateServer, { cookie }: Owner, end: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    const response = await fetch(`${address}/api/profiles`, { headers: { cookie, 'x-forwarded-for': '192.0.2.2' } });
    await response.text();
    if (!response.ok) throw new Error(`Another person got ${response.status}.`);
    times.push(performance.now() - start);
    await delay(60);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Prints the slowest routes. Throws if one of them breaks the promise. */
function judge(measured: Measured[], idleMs: number): string {
  const limitMs = Math.max(unnoticedMs, idleMs * allowedFactor);
  const isBroken = ({ mainThreadMs, otherMs }: Measured) => mainThreadMs > maxMainThreadMs || otherMs > limitMs;
  const slowest = measured.toSorted((a, b) => b.mainThreadMs + b.otherMs - a.mainThreadMs - a.otherMs);
  const lines = slowest.map(({ route, status, mainThreadMs, otherMs }) => {
    const [thread, other] = [mainThreadMs, otherMs].map((ms) => ms.toFixed(0));
    return `  ${route}: ${status}, main thread ${thread} ms, another person ${other} ms\n`;
  });
  process.stderr.write(`  limit for another person: ${limitMs.toFixed(0)} ms\n${lines.join('')}`);
  const broken = measured.filter(isBroken);
  const max = (read: (one: Measured) => number) => Math.max(...measured.map(read)).toFixed(0);
  const figures = `${measured.length} routes, main thread at most ${max((one) => one.mainThreadMs)} ms, another person at most ${max((one) => one.otherMs)} ms (${idleMs.toFixed(0)} ms idle)`;
  if (broken.length > 0) throw new Error(`${figures}; too slow: ${broken.map(({ route }) => route).join(', ')}`);
  return figures;
}
