import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '#server/test-app.fixtures.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  child: ChildProcess;
  result: Promise<CommandResult>;
  /** Returns the output on standard error so far. */
  stderrSoFar(): string;
}

export interface CommandOptions {
  key?: string;
  url?: string;
  input?: string | Buffer;
  /** Program and arguments to run instead of the command. */
  program?: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
}

const entry = join(import.meta.dirname, 'check-domains.ts');

/**
 * Starts the real server and creates a folder for files. Returns both with functions that run the command as a process.
 */
export async function startSite(options?: TestAppOptions) {
  const site = await startTestApp({}, options);
  const { app, call, signUp } = site;
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const folder = await mkdtemp(join(tmpdir(), 'check-domains-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const admin = await signUp({ admin: true });
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  function start(args: readonly string[], options: CommandOptions = {}): RunningCommand {
    const [program = process.execPath, ...words] = options.program ?? [process.execPath, entry];
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(program, [...words, ...args], {
      cwd: options.cwd ?? folder,
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE,
        ...options.env,
        LINKSIEVE_URL: options.url ?? origin,
        ...(options.key !== undefined && { LINKSIEVE_API_KEY: options.key }),
      },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin?.on('error', () => undefined).end(options.input);
    const result = new Promise<CommandResult>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        running.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, result, stderrSoFar: () => stderr };
  }

  return {
    ...site,
    origin,
    folder,
    entry,
    start,
    run: (args: readonly string[], options?: CommandOptions) => start(args, options).result,
    /** Creates an API key for a new account. */
    createKey: () => createKey(site),
    /** Adds a domain to the blacklist. */
    async createDomain(domain: string, cells: object = {}) {
      const body = { domain, source: 'fiverr, crawler', ...cells };
      const response = await call('POST', '/api/domains', { as: admin.cookie, body });
      if (response.statusCode !== 201) throw new Error(response.body);
    },
  };
}

async function createKey({ call, signUp }: TestApp): Promise<{ id: number; value: string }> {
  const { cookie } = await signUp();
  const { id, keyValue } = (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json();
  return { id, value: keyValue };
}
