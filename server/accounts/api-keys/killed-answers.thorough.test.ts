import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { buildSite } from '../../blacklist/submissions/submissions.fixtures.ts';
import { buildForm } from '../../reports/backlinks/analyses.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildKeyCalls } from './key-requests.fixtures.ts';

vi.setConfig({ testTimeout: 300_000 });

const testApp = await startTestApp();
const { context, signUp } = testApp;
const { db } = context;
const { createKey, send } = buildKeyCalls(testApp);

/** When the process is killed, see killed-request.fixtures.ts. */
type Moment = 'before-commit' | 'after-commit';

/** Sends a request in a process of its own, which is killed. */
async function sendToBeKilled(request: object, moment: Moment): Promise<void> {
  const script = join(import.meta.dirname, 'killed-request.fixtures.ts');
  const child = spawn(process.execPath, [script, context.databaseUrl, JSON.stringify(request), moment], {
    env: { ...process.env, DATA_DIR: context.config.dataDir },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect([child.signalCode, output, errors]).toEqual(['SIGKILL', '', '']);
}

interface Attempt {
  path: string;
  body: { payload: string | Buffer; headers: Record<string, string> };
  /** Where its effect is a row more. */
  table: 'websites' | 'submissions' | 'analyses';
}

const asJson = (body: object) => ({
  payload: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Requests of a user without websites. */
const attempts: readonly ((key: string) => Promise<Attempt>)[] = [
  async () => ({ path: '/websites', body: asJson({ domain: 'new.example' }), table: 'websites' }),
  async () => ({ path: '/submissions', body: asJson(buildSite('new.example')), table: 'submissions' }),
  async (key) => {
    const { id } = (await send(key, 'POST', '/websites', { body: { domain: 'own.example' } })).json();
    const body = await buildForm({}, [['links.csv', 'Source URL\nhttps://a.example/\n']], 'file');
    return { path: `/websites/${id}/analyses`, body, table: 'analyses' };
  },
];

async function killAndRepeat(build: (typeof attempts)[number], moment: Moment): Promise<void> {
  const user = await signUp();
  const key = await createKey(user, ['write']);
  const { path, body, table } = await build(key);
  const headers = { ...body.headers, 'idempotency-key': 'once' };
  const payload = String(body.payload);
  const repeat = () => send(key, 'POST', path, { payload, headers });
  const listIds = async () => {
    const rows = await db.selectFrom(table).select('id').where('user_id', '=', user.id).execute();
    return rows.map(({ id }) => id);
  };

  const sent = {
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { host: 'links.example', 'x-api-key': key, ...headers },
  };
  await sendToBeKilled({ ...sent, payload }, moment);
  const effects = await listIds();
  expect(effects).toHaveLength(moment === 'after-commit' ? 1 : 0);
  // A killed upload counts for a minute.
  await db.deleteFrom('uploads').where('user_id', '=', user.id).execute();
  let first = await repeat();
  // PostgreSQL notices the end of a process a moment later.
  while (first.statusCode === 409 && first.json().code === 'idempotency_in_progress') first = await repeat();
  expect([path, first.statusCode, first.headers['idempotency-replayed']]).toEqual([
    path,
    table === 'analyses' ? 202 : 201,
    moment === 'after-commit' ? 'true' : undefined,
  ]);
  const again = await repeat();
  expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
  const { id } = first.json();
  expect(await listIds()).toEqual([id]);
  if (effects.length > 0) expect(effects).toEqual([id]);
}

/** Kills processes, three at a time. */
async function killTimes(count: number, moment: Moment): Promise<void> {
  const left = Array.from({ length: count }, (_, at) => attempts[at % attempts.length]).values();
  const killNext = async () => {
    for (const build of left) if (build) await killAndRepeat(build, moment);
  };
  await Promise.all([killNext(), killNext(), killNext()]);
}

test('after each of 50 kills between effect and answer, the repeated request gets the first answer, with one effect', () =>
  killTimes(50, 'after-commit'));

test('after each of 10 kills between effect and commit, the repeated request has the effect once', () =>
  killTimes(10, 'before-commit'));
