import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for a process, a heartbeat or a mail server rather than for a processor.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          include: ['{shared,server,cli,scripts,bench}/**/*.test.ts'],
          globalSetup: ['server/db/test-server.ts', 'server/test-web.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // A machine that does other things as well is slow, not wrong.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
      },
    ],
  },
});
