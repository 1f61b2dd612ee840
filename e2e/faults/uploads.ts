import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SeparateServer } from '../separate-server.ts';
import { post, signIn } from './with-server.ts';

/** An account with a website. */
export interface Owner {
  cookie: string;
  websiteId: number;
}

let owners = 0;

/** Registers an account and creates its website. */
export async function createOwner(server: SeparateServer, name?: string): Promise<Owner> {
  owners += 1;
  const username = name ?? `owner${owners}`;
  const password = 'a long enough secret';
  await expectOk(await post(server, '/api/auth/register', { username, password, email: `${username}@mail.example` }));
  const cookie = await signIn(server, { username, password });
  const response = await expectOk(await post(server, '/api/profiles', { domain: `${username}.example` }, cookie));
  return { cookie, websiteId: (await response.json()).id };
}

/** Lists a domain. */
export async function listDomain(server: SeparateServer, domain: string): Promise<void> {
  await expectOk(await post(server, '/api/domains', { domain, source: 'fiverr' }, await signIn(server)));
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`);
  return response;
}

/** Yields an export of this many bytes or a few more, whose links are all on `host`. */
export function* buildExport(host: string, bytes: number): Generator<string> {
  yield 'url\n';
  for (let sent = 4, row = 0; sent < bytes; ) {
    let lines = '';
    for (; lines.length < 65_536 && sent + lines.length < bytes; row += 1) lines += `https://${host}/${row}\n`;
    sent += lines.length;
    yield lines;
  }
}

export interface Answer {
  status: number;
  body: string;
}

interface OpenUpload {
  /** Sends a part of the body. Waits if the server does not read it. */
  write(part: string): Promise<void>;
  /** Ends the body. */
  finish(): void;
  /** Resolves when the server has responded. Rejects if it has closed the connection. */
  answer: Promise<Answer>;
  destroy(): void;
}

/**
 * Starts the upload of a form with one file. The length of the whole body is announced first, as browsers do.
 * @param fileBytes of the file
 */
export function openUpload(
  { port }: Pick<SeparateServer, 'port'>,
  { cookie, websiteId }: Owner,
  fileBytes: number,
  { path = '/api/backlinks/analyze', field = 'backlinkFile' } = {},
): OpenUpload {
  const start =
    `--b\r\ncontent-disposition: form-data; name="profileId"\r\n\r\n${websiteId}\r\n` +
    `--b\r\ncontent-disposition: form-data; name="${field}"; filename="links.csv"\r\n\r\n`;
  const end = '\r\n--b--\r\n';
  const sending = request({
    port,
    path,
    method: 'POST',
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': start.length + fileBytes + end.length,
    },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((body) => resolve({ status, body }), reject);
    });
  });
  // The caller may look at the answer later, or never.
  let isAnswered = false;
  answer.then(
    () => {
      isAnswered = true;
    },
    () => undefined,
  );
  sending.write(start);
  return {
    async write(part) {
      if (!sending.write(part) && !sending.destroyed && !isAnswered)
        await Promise.race([once(sending, 'drain'), answer]);
    },
    finish: () => sending.end(end),
    answer,
    destroy: () => sending.destroy(),
  };
}

/** Uploads an export and waits for the response. */
export async function uploadExport(
  server: SeparateServer,
  owner: Owner,
  host: string,
  bytes: number,
): Promise<{ status: number; analysisId: string | undefined; body: string }> {
  const parts = [...buildExport(host, bytes)];
  const upload = openUpload(
    server,
    owner,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  for (const part of parts) await upload.write(part);
  upload.finish();
  const { status, body } = await upload.answer;
  const { analysisId } = JSON.parse(body);
  return { status, body, analysisId };
}

export interface AnalysisState {
  status: string;
  message: string;
  result: { reportId: number; harmfulBacklinks: number } | null;
}

async function getAnalysis(server: SeparateServer, { cookie }: Owner, id: string): Promise<AnalysisState> {
  return (await fetch(`${server.address}/api/backlinks/analyses/${id}`, { headers: { cookie } })).json();
}

/** Polls until the analysis has ended. */
export async function waitForAnalysis(server: SeparateServer, owner: Owner, id: string): Promise<AnalysisState> {
  for (;;) {
    const analysis = await getAnalysis(server, owner, id);
    if (analysis.status !== 'processing') return analysis;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Sends DELETE as this site's pages do. @returns the milliseconds until the response */
export async function sendDelete(server: SeparateServer, path: string, cookie: string): Promise<number> {
  const start = performance.now();
  await expectOk(
    await fetch(`${server.address}${path}`, { method: 'DELETE', headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
  );
  return performance.now() - start;
}

/** Returns the highest memory use of a process so far, in MB. Linux only. */
export async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
