import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Long enough for a busy machine. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

/** Whether only the tests that prove a promise at length run, and property tests with all of their runs. */
const isThorough = process.env.TEST_THOROUGH === '1';

export default defineConfig({
  test: {
    // More workers than processors, because many tests wait for a process, a heartbeat or a mail server.
    maxWorkers: 4,
    reporters: ['default', './scripts/unit-results.ts'],
    coverage: { include: ['server/**', 'shared/**'], exclude: ['**/*.{test,fixtures}.ts'] },
    projects: [
      // Test files share the modules of their process, because loading the server takes longer than most files' tests.
      {
        test: {
          ...timeouts,
          name: 'server',
          include: [
            `{shared,server,cli,lookup,scripts,bench}/**/*${isThorough ? '.{thorough,properties}' : ''}.test.ts`,
          ],
          exclude: [...configDefaults.exclude, ...(isThorough ? [] : ['**/*.thorough.test.ts'])],
          globalSetup: ['server/platform/db/test-server.fixtures.ts', 'server/test-web.fixtures.ts'],
          isolate: false,
          // Speeds up tests that start the server or the command line as a process.
          env: { NODE_COMPILE_CACHE: join(tmpdir(), 'linksieve-compile-cache') },
        },
      },
      // A file that needs a DOM starts with `// @vitest-environment happy-dom`.
      {
        test: {
          ...timeouts,
          name: 'web',
          include: isThorough ? [] : ['{web,extension}/**/*.test.{ts,tsx}'],
          isolate: false,
        },
      },
    ],
  },
});
