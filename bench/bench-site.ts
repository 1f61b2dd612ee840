import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '#server/platform/net/ports.ts';

/** The product running in a separate process, with a signed-in admin. */
export interface BenchSite {
  pid: number;
  /** Scheme, host and port. */
  address: string;
  /** Seconds from the start of the process to its first page. */
  startSeconds: number;
  /** The admin's session cookie, as `name=value`. */
  cookie: string;
  /** Sends a small request that needs a session. */
  sendRequest(): Promise<void>;
  /** Creates a user without admin rights. @returns the session cookie, as `name=value` */
  createUser(username: string): Promise<string>;
  /** @param cookie the owner; the admin by default */
  createWebsite(domain: string, cookie?: string): Promise<{ websiteId: number }>;
  /** Uploads a backlink file and waits for the report. */
  analyze(websiteId: number, path: string, cookie?: string): Promise<void>;
  /** Uploads a CSV of domains and waits until they are imported. @returns how many are new */
  import(path: string): Promise<number>;
  close(): Promise<void>;
}

const account = {
  ADMIN_USERNAME: 'bench',
  ADMIN_EMAIL: 'bench@mail.example',
  ADMIN_PASSWORD: 'a password for the bench',
};

/** @param settings further environment variables of the server */
export async function startBenchSite(
  databaseUrl: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<BenchSite> {
  const port = await findFreePort();
  const base = `http://localhost:${port}`;
  const environment = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'site'),
    LOG_LEVEL: 'error',
    // A load comes from many addresses.
    TRUST_PROXY: '1',
    ...settings,
  };
  const start = performance.now();
  const server = spawn(process.execPath, ['--import', './scripts/require-node.js', 'server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment, ...account },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => text.includes('ready') && resolve());
    server.on('exit', (code) => reject(new Error(`The server exited with ${code}.`)));
  });

  let cookie = '';
  async function call(method: string, path: string, body?: object | FormData, as = cookie): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(base + path, {
      method,
      headers: { origin: base, cookie: as, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  /** Reads a run until it has ended. @throws an error if it failed */
  async function waitForRun<Run>(response: Response, getPath: (run: Run) => string, as?: string): Promise<Run> {
    let run = (await response.json()) as Run & { status?: string; message?: string };
    while (run.status === 'processing') {
      await wait(100);
      run = (await (await call('GET', getPath(run), undefined, as)).json()) as typeof run;
    }
    // The response to a small file is its report, which has no status.
    if (run.status && run.status !== 'completed') throw new Error(run.message);
    return run;
  }
  await (await call('GET', '/')).text();
  const startSeconds = (performance.now() - start) / 1000;
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = account;
  const login = await call('POST', '/api/auth/login', { username, password });
  cookie = readCookie(login);

  return {
    pid: server.pid ?? 0,
    address: base,
    startSeconds,
    cookie,
    async sendRequest() {
      await (await call('GET', '/api/auth/current-user')).text();
    },
    async createUser(username) {
      const { ADMIN_PASSWORD: password } = account;
      const email = `${username}@mail.example`;
      return readCookie(
        await call('POST', '/api/auth/register', { username, email, password, confirmPassword: password }, ''),
      );
    },
    async createWebsite(domain, owner) {
      const website = (await (await call('POST', '/api/profiles', { domain }, owner)).json()) as { id: number };
      return { websiteId: website.id };
    },
    async analyze(websiteId, path, owner) {
      const form = new FormData();
      form.append('profileId', String(websiteId));
      form.append('backlinkFile', await openAsBlob(path), 'bench.csv');
      await waitForRun<{ analysisId: string }>(
        await call('POST', '/api/backlinks/analyze', form, owner),
        ({ analysisId }) => `/api/backlinks/analyses/${analysisId}`,
        owner,
      );
    },
    async import(path) {
      const form = new FormData();
      form.append('file', await openAsBlob(path), 'bench.csv');
      const { imported } = await waitForRun<{ jobId: string; imported: number }>(
        await call('POST', '/api/domains/upload', form),
        ({ jobId }) => `/api/domains/import-status/${jobId}`,
      );
      return imported;
    },
    async close() {
      server.removeAllListeners('exit');
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

const readCookie = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
