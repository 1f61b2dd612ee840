import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
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
  /** Uploads a backlink file and waits for the report. @returns the seconds between the last byte and the report */
  analyze(websiteId: number, path: string, options?: UploadOptions): Promise<number>;
  /** Uploads a CSV of domains and waits until they are imported. @returns how many are new */
  import(path: string): Promise<number>;
  close(): Promise<void>;
}

interface UploadOptions {
  /** The owner of the website; the admin by default. */
  cookie?: string;
  /** Default: as fast as possible. */
  bytesPerSecond?: number;
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
  /** Sends a request, and sends it again as long as the server is busy with the measured load. */
  async function call(method: string, path: string, body?: object, as = cookie): Promise<Response> {
    const response = await fetch(base + path, {
      method,
      headers: { origin: base, cookie: as, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const text = await response.text();
    const retrySeconds = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || !retrySeconds) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    await wait(retrySeconds * 1000);
    return await call(method, path, body, as);
  }
  /**
   * Sends a form with one file, after its fields. The client takes little of the processors that it shares with the
   * server: `fetch` would take more than the server.
   */
  async function upload(
    path: string,
    form: { fields: Record<string, string>; field: string; file: string },
    { cookie: as = cookie, bytesPerSecond = Number.POSITIVE_INFINITY }: UploadOptions = {},
  ): Promise<{ started: unknown; sentAt: number }> {
    const boundary = 'boundary-of-the-bench';
    const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    const fields = Object.entries(form.fields).map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`);
    const head = `${fields.join('')}${part(form.field)}; filename="bench.csv"\r\ncontent-type: text/csv\r\n\r\n`;
    const end = `\r\n--${boundary}--\r\n`;
    const { size } = await stat(form.file);
    const request = sendRequest(base + path, {
      method: 'POST',
      headers: {
        origin: base,
        cookie: as,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + size + end.length,
      },
    });
    const responded = once(request, 'response') as Promise<[IncomingMessage]>;
    await pipeline(async function* () {
      yield head;
      const start = performance.now();
      let sent = 0;
      for await (const chunk of createReadStream(form.file, { highWaterMark: 262_144 })) {
        yield chunk;
        sent += chunk.length;
        const early = (sent / bytesPerSecond) * 1000 - (performance.now() - start);
        if (early > 1) await wait(early);
      }
      yield end;
    }, request);
    const sentAt = performance.now();
    const [response] = await responded;
    const body = await text(response);
    if ((response.statusCode ?? 0) >= 300) throw new Error(`POST ${path}: ${response.statusCode} ${body}`);
    return { started: JSON.parse(body), sentAt };
  }
  /** Reads a run until it has ended. @throws an error if it failed */
  async function waitForRun<Run>(started: unknown, getPath: (run: Run) => string, as?: string): Promise<Run> {
    let run = started as Run & { status?: string; message?: string };
    while (run.status === 'processing') {
      await wait(20);
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
    async analyze(websiteId, file, options) {
      const form = { fields: { profileId: String(websiteId) }, field: 'backlinkFile', file };
      const { started, sentAt } = await upload('/api/backlinks/analyze', form, options);
      await waitForRun<{ analysisId: string }>(
        started,
        ({ analysisId }) => `/api/backlinks/analyses/${analysisId}`,
        options?.cookie,
      );
      return (performance.now() - sentAt) / 1000;
    },
    async import(file) {
      const { started } = await upload('/api/domains/upload', { fields: {}, field: 'file', file });
      const { imported } = await waitForRun<{ jobId: string; imported: number }>(
        started,
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
