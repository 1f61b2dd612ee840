import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const tests = '{shared,server,cli,scripts,bench}/**/*.test.ts';
/** They replace a module (`vi.mock`), which must not have been loaded before. */
const mocking = ['server/accounts/passwords.test.ts'];

/** A machine that does other things as well is slow, not wrong. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

const server = {
  ...patient,
  globalSetup: ['server/db/test-server.ts', 'server/test-web.ts'],
  // Tests start the server and the command line some hundred times.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'linksieve-compile-cache') },
};

export default defineConfig({
  test: {
    // Many tests wait for a process, a heartbeat or a mail server rather than for a processor.
    maxWorkers: 3,
    reporters: ['default', './scripts/unit-results.ts'],
    coverage: { include: ['server/**', 'shared/**'], exclude: ['**/*.{test,fixtures}.ts', '**/test-*.ts'] },
    projects: [
      // Most of a file's time would be loading the server: the files of a process share it.
      { test: { ...server, name: 'server', include: [tests], exclude: mocking, isolate: false } },
      { test: { ...server, name: 'mocking', include: mocking } },
      // What needs a document says so in its first line.
      { test: { ...patient, name: 'web', include: ['web/**/*.test.{ts,tsx}'], isolate: false } },
    ],
  },
});
