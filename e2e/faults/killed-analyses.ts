import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Analysis, AnalysisResult } from '../../shared/reports/backlinks.ts';
import type { ReportSummary } from '../../shared/reports/reports.ts';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { findPostmasterPid, get, post, signIn, upload, waitFor, withServer } from './with-server.ts';

const kills = 10;
const rows = 3_000_000;
const listed = Array.from({ length: 2000 }, (_, i) => `listed-${i}.example`);

export const killedAnalysesTrial: Trial = {
  name: 'killed-analyses',
  fault: `kill -9 of the server or of PostgreSQL at ${kills} moments of an analysis of ${rows.toLocaleString('en')} backlinks`,
  promise:
    'Each upload makes one report with the same figures as without a kill, and leaves no uploaded file or temporary folder',
  run: () => withServer(killAnalyses),
};

async function killAnalyses(server: SeparateServer): Promise<string> {
  const file = new Blob(['url\n', ...buildRows()]);
  const cookie = await signIn(server);
  const list = ['domain,source', ...listed.map((name) => `${name},Trial`)].join('\n');
  await upload(server, '/api/domains/upload', { field: 'file', file: { name: 'list.csv', content: list }, cookie });
  const site = await post(server, '/api/profiles', { domain: 'ours.example' }, cookie);
  const { id: websiteId } = (await site.json()) as { id: number };
  const sendFile = () =>
    upload<Analysis | AnalysisResult>(server, '/api/backlinks/analyze', {
      field: 'backlinkFile',
      file: { name: 'backlinks.csv', content: file },
      cookie,
      fields: { profileId: String(websiteId) },
    });
  const listUnfinished = () => get<Analysis[]>(server, '/api/backlinks/analyses', cookie);
  /** The response to the upload may wait until the analysis has ended, so it is not awaited. */
  const start = async () => {
    const sending = sendFile();
    const unfinished = waitFor(async () => (await listUnfinished())[0]?.analysisId);
    // The kill may cut the connection.
    sending.catch(() => undefined);
    return await unfinished;
  };
  const first = await start();
  const begin = Date.now();
  const expected = await waitForResult(server, cookie, first);
  const usualMs = Date.now() - begin;
  const seconds: number[] = [];
  for (let i = 1; i <= kills; i += 1) {
    const id = await start();
    await delay((usualMs * i) / (kills + 1));
    const killedAt = Date.now();
    if (i % 3 === 0) process.kill(await findPostmasterPid(server), 'SIGKILL');
    else {
      await server.end('SIGKILL');
      await server.start();
    }
    const result = await waitForResult(server, cookie, id);
    seconds.push((Date.now() - killedAt) / 1000);
    for (const key of ['totalDomains', 'uniqueDomains', 'toxicDomains'] as const) {
      if (result[key] !== expected[key])
        throw new Error(`After kill ${i}, ${key} is ${result[key]}, not ${expected[key]}.`);
    }
  }
  const reports = await get<ReportSummary[]>(server, `/api/profiles/${websiteId}/reports`, cookie);
  if (reports.length !== kills + 1) throw new Error(`${kills + 1} uploads made ${reports.length} reports.`);
  const left = await readdir(join(server.dataDir, 'uploads'));
  if (left.length > 0) throw new Error(`${left.length} files or temporary folders were left.`);
  const sorted = seconds.toSorted((a, b) => a - b);
  return `${kills} of ${kills} exact; completed ${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} s after the kill`;
}

/** Yields the rows in parts. Every tenth backlink is on a listed host. */
function* buildRows(): Generator<string> {
  for (let row = 0; row < rows; ) {
    let part = '';
    for (const end = row + 10_000; row < end; row += 1)
      part += `https://${row % 10 === 0 ? listed[(row / 10) % listed.length] : `site-${row % 20_000}.example`}/${row}\n`;
    yield part;
  }
}

async function waitForResult(server: SeparateServer, cookie: string, id: string): Promise<AnalysisResult> {
  const analysis = await waitFor(async () => {
    const now = await get<Analysis>(server, `/api/backlinks/analyses/${id}`, cookie);
    return now.status === 'processing' ? undefined : now;
  });
  if (!analysis.result) throw new Error(`The analysis is ${analysis.status}: ${analysis.message}`);
  return analysis.result;
}
