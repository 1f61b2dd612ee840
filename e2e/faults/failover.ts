import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { SeparateServer } from '../separate-server.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import type { Trial } from './trial.ts';
import { post, signIn, waitFor, withServer } from './with-server.ts';

const writers = 4;
/** How long the standby stays read-only, as until Patroni promotes it. */
const readOnlyMs = 5000;

export const failoverTrial: Trial = {
  name: 'failover',
  fault: `kill -9 of the primary while ${writers} clients write; the standby is read-only for ${readOnlyMs / 1000} s and then promoted`,
  promise:
    'No acknowledged write is lost, failed writes get 503 and not 500, lists still work, and writes resume alone',
  async run() {
    const pair = await startPostgresPair();
    try {
      return await withServer((server) => failOver(server, pair), { DATABASE_URL: pair.url });
    } finally {
      await pair.stop();
    }
  },
};

async function failOver(server: SeparateServer, pair: PostgresPair): Promise<string> {
  const cookie = await signIn(server);
  const stopping = new AbortController();
  const written: string[] = [];
  const times: number[] = [];
  const refusals = new Map<number, number>();
  const write = async (writer: number) => {
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      const domain = `failover-${writer}-${i}.example`;
      const { status, headers } = await post(server, '/api/domains', { domain, source: 'Trial' }, cookie);
      if (status === 201) {
        written.push(domain);
        times.push(Date.now());
      } else {
        refusals.set(status, (refusals.get(status) ?? 0) + 1);
        if (status === 503 && !headers.has('retry-after')) throw new Error('A 503 has no Retry-After.');
        await delay(50);
      }
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  // It may fail long before it is awaited.
  writing.catch(() => stopping.abort());
  try {
    await delay(3000);
    await pair.killPrimary();
    pair.switchToStandby();
    const list = await waitFor(async () => {
      const response = await fetch(`${server.address}/api/domains?page=0`, { headers: { cookie } });
      return response.ok ? response : undefined;
    }, readOnlyMs).catch(() => undefined);
    if (!list) throw new Error('Lists did not work while the database was read-only.');
    await delay(readOnlyMs);
    await pair.promoteStandby();
    const promotedAt = Date.now();
    await waitFor(async () => times.some((time) => time > promotedAt + 3000) || undefined, 60_000);
  } finally {
    stopping.abort();
  }
  await writing;
  const { 503: _, ...others } = Object.fromEntries(refusals);
  if (Object.keys(others).length > 0) throw new Error(`Writes were refused with ${JSON.stringify(others)}.`);
  const lost = written.length - (await countListed(pair, written));
  if (lost > 0) throw new Error(`${lost} of ${written.length} acknowledged writes were lost.`);
  const gapMs = Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time)));
  return `${written.length} acknowledged, 0 lost; ${refusals.get(503) ?? 0} refused with 503; no write for ${(gapMs / 1000).toFixed(1)} s`;
}

async function countListed({ standbyUrl }: PostgresPair, names: string[]): Promise<number> {
  const client = new pg.Client({ connectionString: standbyUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ listed: string }>(
      'select count(*) as listed from domains where name = any($1)',
      [names],
    );
    return Number(rows[0]?.listed);
  } finally {
    await client.end();
  }
}
