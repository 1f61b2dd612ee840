import { Agent, request as sendRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { requestsPerMinute } from '../../server/app.ts';
import { findFreePort } from '../../server/platform/net/ports.ts';
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
import { type OtherPerson, startOtherPerson, toMedian } from './other-person.ts';
import { addDomains, connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { createOwner } from './uploads.ts';
import { post, signIn, withServer } from './with-server.ts';

/** Requests at the same time. Browsers send six. */
const parallel = 8;
const loadMs = 1500;
const maxMainThreadMs = 50;
const allowedFactor = 3;
const unnoticedMs = 50;
/** Requests of the account are stopped after this time, so that downloads do not make the trial take hours. */
const maxCallsMs = 4000;
/** After the calls of a route have been stopped, another person must not notice them any more within this time. */
const maxSettleMs = 5000;
const blacklistDomains = 100_000;
/** For work on this file: a pattern of the routes to call, instead of all of them. */
const onlyRoutes = new RegExp(process.env.TRIAL_ROUTES ?? '');

interface Measured {
  route: string;
  status: string;
  mainThreadMs: number;
  otherMs: number;
  settleMs: number;
}

/** One account with the largest permitted data calls every route, alone and several times at once. */
export const allRoutesTrial: Trial = {
  name: 'all-routes',
  fault: `An account with ${websites} websites and a report of ${reportDomains.toLocaleString('en')} domains calls each route, then as often as one address may, ${requestsPerMinute / 60} times a second and ${parallel} at the same time`,
  promise: `No call occupies the main thread for more than ${maxMainThreadMs} ms, and another person waits at most ${allowedFactor} times as long as on an idle server, or ${unnoticedMs} ms (medians)`,
  async run() {
    const port = await findFreePort();
    const probe = pathToFileURL(new URL('./main-thread-probe.ts', import.meta.url).pathname);
    const settings = {
      TRUST_PROXY: '1',
      PUBLISH_BLACKLIST: '1',
      [probePort]: String(port),
      NODE_OPTIONS: `--import ${probe} --cpu-prof --cpu-prof-dir=/tmp/prof`,
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
  const { rows } = await database.query<{ user_id: string }>('select user_id from websites where id = $1', [
    owner.websiteId,
  ]);
  const account = await fillAccount(database, Number(rows[0]?.user_id), owner.websiteId);
  await database.end();
  const shared = await create<{ url: string }>(server, `/api/reports/${account.reportId}/share`, {}, owner.cookie);
  const shareToken = shared.url.slice(shared.url.lastIndexOf('/') + 1);
  const { keyValue: apiKey } = await create<{ keyValue: string }>(
    server,
    '/api/api-keys',
    { name: 'All', scopes: ['check', 'read', 'write'] },
    owner.cookie,
  );
  const callers = { owner: { cookie: owner.cookie }, admin: { cookie: admin }, key: { 'x-api-key': apiKey } };
  const requests = buildRequests({ ...account, shareToken });
  // Counts what an earlier version has not counted, as the worker does.
  await (await fetch(`${server.address}/api/profiles`, { headers: { cookie: owner.cookie } })).text();
  await using person = startOtherPerson(`${server.address}/api/profiles`, other.cookie);
  return await callRoutes(server, probe, { person, requests, callers });
}

async function create<Body>(...args: Parameters<typeof post>): Promise<Body> {
  const response = await post(...args);
  if (!response.ok) throw new Error(`${args[1]} returned ${response.status}.`);
  return (await response.json()) as Body;
}

type Caller = 'owner' | 'admin' | 'key' | 'visitor';

interface Calling {
  person: OtherPerson;
  requests: Record<string, LargeRequest>;
  /** Headers that identify them. */
  callers: Record<Exclude<Caller, 'visitor'>, Record<string, string>>;
}

async function callRoutes(
  server: SeparateServer,
  probe: string,
  { person, requests, callers }: Calling,
): Promise<string> {
  const readProbe = async () => Number(await (await fetch(probe)).text());
  await delay(3000);
  await person.takeTimes();
  await delay(3000);
  const idleMs = toMedian(await person.takeTimes());
  const limitMs = Math.max(unnoticedMs, idleMs * allowedFactor);
  const measured: Measured[] = [];
  const routes = Object.keys(rights).filter((route) => onlyRoutes.test(route) && notCalled[route] === undefined);
  for (const [i, route] of routes.entries()) {
    const caller = requests[route]?.as ?? findCaller(route);
    const prepared = await prepare(route, requests[route] ?? {}, caller === 'visitor' ? {} : callers[caller]);
    const headers = { ...prepared.headers, 'x-forwarded-for': `198.18.${i >> 8}.${i & 255}` };
    const send = (signal: AbortSignal) => call(server.port, { ...prepared, headers }, signal);
    await readProbe();
    const alone = new AbortController();
    const timer = setTimeout(() => alone.abort(), maxCallsMs);
    const status = await send(alone.signal);
    clearTimeout(timer);
    const mainThreadMs = await readProbe();
    await person.takeTimes();
    const end = new AbortController();
    const load = sendAtLimit(() => send(end.signal), end.signal);
    await delay(loadMs);
    end.abort();
    const otherMs = toMedian(await person.takeTimes());
    await load;
    const settleMs = await settle(person, limitMs);
    measured.push({ route, status, mainThreadMs, otherMs, settleMs });
  }
  return judge(measured, idleMs, limitMs);
}

/** Sends as many requests as the server accepts from one address in the long run, until the signal aborts. */
async function sendAtLimit(send: () => Promise<string>, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    if (running.size < parallel) {
      const sent: Promise<unknown> = send().finally(() => running.delete(sent));
      running.add(sent);
    }
    await delay(60_000 / requestsPerMinute);
  }
  await Promise.all(running);
}

/** Waits until another person notices nothing any more, or too long. @returns how long it took in milliseconds */
async function settle(person: OtherPerson, limitMs: number): Promise<number> {
  const start = performance.now();
  for (;;) {
    await delay(200);
    const times = await person.takeTimes();
    const ms = performance.now() - start;
    if (ms > maxSettleMs || (times.length > 0 && toMedian(times) <= limitMs)) return ms;
  }
}

function findCaller(route: string): Caller {
  const { visitor = 200, owner = 200 } = rights[route] ?? {};
  if (/ \/(api\/v1\/(check|usage)|mcp)/.test(route)) return 'key';
  if ([visitor].flat().some((status) => status < 400)) return 'visitor';
  return [owner].flat().some((status) => status < 400) ? 'owner' : 'admin';
}

interface Prepared {
  method: string;
  path: string;
  headers: Record<string, string>;
  payload: Uint8Array | undefined;
}

/** Builds what is sent, so that the calls themselves cost this process little. */
async function prepare(
  route: string,
  { params = {}, query, body, form }: LargeRequest,
  identity: Record<string, string>,
): Promise<Prepared> {
  const [method = 'GET', pattern = '/'] = route.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 0));
  const headers = { ...identity, 'sec-fetch-site': 'same-origin' };
  const prepared = { method, path: query ? `${path}?${query}` : path };
  if (form) {
    const data = new FormData();
    for (const [name, value] of Object.entries(form.fields ?? {})) data.set(name, value);
    data.set(form.field, new Blob([form.content]), 'names.csv');
    const encoded = new Response(data);
    const contentType = encoded.headers.get('content-type') ?? '';
    const payload = new Uint8Array(await encoded.arrayBuffer());
    return { ...prepared, headers: { ...headers, 'content-type': contentType }, payload };
  }
  if (method === 'GET') return { ...prepared, headers, payload: undefined };
  const payload = Buffer.from(JSON.stringify(body ?? largestBody));
  return { ...prepared, headers: { ...headers, 'content-type': 'application/json' }, payload };
}

const agent = new Agent({ keepAlive: true });

/** @returns the status, or why there is none */
function call(port: number, { payload, ...options }: Prepared, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve(signal.aborted ? 'stopped' : error.message);
    const headers = { ...options.headers, 'content-length': payload?.length ?? 0 };
    const request = sendRequest({ ...options, headers, host: '127.0.0.1', port, agent, signal }, (response) => {
      response.on('error', fail).on('end', () => resolve(String(response.statusCode)));
      response.resume();
    });
    request.on('error', fail).end(payload);
  });
}

/** Prints the slowest routes. @throws if one of them breaks the promise */
function judge(measured: Measured[], idleMs: number, limitMs: number): string {
  const isBroken = ({ mainThreadMs, otherMs, settleMs }: Measured) =>
    mainThreadMs > maxMainThreadMs || otherMs > limitMs || settleMs > maxSettleMs;
  const slowest = measured.toSorted((a, b) => b.mainThreadMs + b.otherMs - a.mainThreadMs - a.otherMs);
  const lines = slowest.map(({ route, status, ...figures }) => {
    const [thread, other, settled] = [figures.mainThreadMs, figures.otherMs, figures.settleMs].map((ms) =>
      ms.toFixed(0),
    );
    return `  ${route}: ${status}, main thread ${thread} ms, another person ${other} ms, for ${settled} ms more\n`;
  });
  process.stderr.write(`  limit for another person: ${limitMs.toFixed(0)} ms\n${lines.join('')}`);
  const broken = measured.filter(isBroken);
  const max = (read: (one: Measured) => number) => Math.max(...measured.map(read)).toFixed(0);
  const figures = `${measured.length} routes, main thread at most ${max((one) => one.mainThreadMs)} ms, another person at most ${max((one) => one.otherMs)} ms (${idleMs.toFixed(0)} ms idle)`;
  if (broken.length > 0) throw new Error(`${figures}; too slow: ${broken.map(({ route }) => route).join(', ')}`);
  return figures;
}
