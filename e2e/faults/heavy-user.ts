import { setTimeout as delay } from 'node:timers/promises';
import type { SeparateServer } from '../separate-server.ts';
import { fillAccount } from './large-account.ts';
import { type OtherPerson, startOtherPerson, toMedian } from './other-person.ts';
import { addDomains, connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { buildExport, createOwner, listDomain, type Owner, openUpload, waitForAnalysis } from './uploads.ts';
import { withServer } from './with-server.ts';

const domains = 300_000;
const searches = 60;
const reportRequests = 30;
const uploadMb = 200;
const measureMs = 6000;
/** The load itself costs time on two cores. */
const allowedFactor = 3;
/** Below this time, nobody notices a factor. */
const unnoticedMs = 50;
const host = 'listed.example';
/** Another address than that of the other person, because each address has a limit. */
const heavyAddress = '192.0.2.1';

/** Searches and uploads of one user must not slow another. */
export const heavyUserTrial: Trial = {
  name: 'heavy-user',
  fault: `One user sends ${searches} searches at the same time, then ${reportRequests} of a large report, then an upload of ${uploadMb} MB, then both, among ${domains.toLocaleString('en')} domains`,
  promise: `Lists of another user take at most ${allowedFactor} times as long as on an idle server, or ${unnoticedMs} ms (medians)`,
  run: () =>
    withServer(
      async (server) => {
        const database = await connectToDatabase(server);
        await addDomains(database, domains);
        await listDomain(server, host);
        const heavy = await createOwner(server);
        const { rows } = await database.query('select user_id from websites where id = $1', [heavy.websiteId]);
        const { reportId } = await fillAccount(database, Number(rows[0]?.user_id), heavy.websiteId);
        await database.end();
        const other = await createOwner(server);
        const list = `${server.address}/api/domains?tld=example&riskLevel=high`;
        await using person = startOtherPerson(list, other.cookie);
        const during = (load: Promise<unknown>) => measureDuring(person, load);
        await during(delay(measureMs));
        const idle = await during(delay(measureMs));
        const searching = await during(search(server, heavy, delay(measureMs)));
        const reports = await during(readReport(server, heavy, reportId, delay(measureMs)));
        const uploading = await during(upload(server, heavy));
        const bothAtOnce = upload(server, heavy);
        const both = await during(Promise.all([bothAtOnce, search(server, heavy, bothAtOnce)]));
        const [none, some, large, all] = [idle, searching, uploading, both].map((ms) => `${ms.toFixed(0)} ms`);
        const figures = `${none} idle, ${some} with searches, ${reports.toFixed(0)} ms with a report, ${large} with the upload, ${all} with both`;
        if (Math.max(searching, reports, uploading, both) > Math.max(unnoticedMs, idle * allowedFactor))
          throw new Error(figures);
        return figures;
      },
      { TRUST_PROXY: '1' },
    ),
};

/** @returns the median of milliseconds while the load lasts */
async function measureDuring(person: OtherPerson, load: Promise<unknown>): Promise<number> {
  await load;
  return toMedian(await person.takeTimes());
}

/** Sends searches, each of them again and again, until `end`. */
async function search(server: SeparateServer, heavy: Owner, end: Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: searches }, async (_, i) => {
      let n = 0;
      await repeatUntil(end, async () => {
        n += 1;
        const { status } = await list(server, `/api/domains?search=shop-${(i * 37 + n) % 16}&sort=cost-asc`, heavy);
        // A client that is refused waits before it tries again.
        if (status !== 200) await delay(500);
      });
    }),
  );
}

/** Reads lists, counts and exports of a report, each of them again and again, until `end`. */
async function readReport(
  server: SeparateServer,
  heavy: Owner,
  reportId: number,
  end: Promise<unknown>,
): Promise<void> {
  const paths = ['domains?search=ab', 'domains?sort=review', 'overview', 'domain-names', 'domains.csv', 'disavow.txt'];
  await Promise.all(
    Array.from({ length: reportRequests }, (_, i) =>
      repeatUntil(end, async () => {
        const path = `/api/reports/${reportId}/${paths[i % paths.length]}`;
        const { status } = await list(server, path, heavy);
        if (status !== 200) await delay(500);
      }),
    ),
  );
}

/** Uploads an export, and waits until its analysis has ended. */
async function upload(server: SeparateServer, heavy: Owner): Promise<void> {
  const bytes = uploadMb * 1_000_000;
  const parts = [...buildExport(host, bytes)];
  const sending = openUpload(
    server,
    heavy,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  for (const part of parts) await sending.write(part);
  sending.finish();
  const { status, body } = await sending.answer;
  if (status >= 300) throw new Error(`The upload returned ${status}: ${body}`);
  const { analysisId } = JSON.parse(body);
  if (!analysisId) return;
  const analysis = await waitForAnalysis(server, heavy, analysisId);
  if (analysis.status !== 'completed') throw new Error(`The analysis is ${analysis.status}: ${analysis.message}`);
}

async function list({ address }: SeparateServer, path: string, { cookie }: Owner): Promise<{ status: number }> {
  const response = await fetch(`${address}${path}`, { headers: { cookie, 'x-forwarded-for': heavyAddress } });
  await response.text();
  return { status: response.status };
}

async function repeatUntil(end: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  end.then(over, over);
  while (!isOver) await work();
}
