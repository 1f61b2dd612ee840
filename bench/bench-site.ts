import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '#server/net/ports.ts';

/** The product running in a separate process, with a signed-in admin. */
export interface BenchSite {
  pid: number;
  /** Scheme, host and port. */
  address: string;
  /** The admin's session cookie, as `name=value`. */
  cookie: string;
  /** Sends a small request that needs a session. */
  sendRequest(): Promise<void>;
  /** Creates a user without admin rights. @returns the session cookie, as `name=value` */
  createUser(username: string): Promise<string>;
  /** @param cookie the owner; the admin by default */
  createProfile(domain: string, cookie?: string): Promise<{ profileId: number }>;
  /** Uploads a backlink file and waits for the report. */
  analyze(profileId: number, path: string, cookie?: string): Promise<void>;
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
    ...settings,
  };
  const server = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
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
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = account;
  const login = await call('POST', '/api/auth/login', { username, password });
  cookie = readCookie(login);

  return {
    pid: server.pid ?? 0,
    address: base,
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
    async createProfile(domain, owner) {
      const profile = (await (await call('POST', '/api/profiles', { domain }, owner)).json()) as { id: number };
      return { profileId: profile.id };
    },
    async analyze(profileId, path, owner) {
      const form = new FormData();
      form.append('profileId', String(profileId));
      form.append('backlinkFile', await openAsBlob(path), 'bench.csv');
      const response = await call('POST', '/api/backlinks/analyze', form, owner);
      let analysis = (await response.json()) as { analysisId?: string; status?: string; message?: string };
      while (analysis.status === 'processing') {
        await wait(100);
        analysis = (await (
          await call('GET', `/api/backlinks/analyses/${analysis.analysisId}`, undefined, owner)
        ).json()) as typeof analysis;
      }
      if (analysis.status && analysis.status !== 'completed') throw new Error(analysis.message);
    },
    async close() {
      server.removeAllListeners('exit');
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

const readCookie = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
