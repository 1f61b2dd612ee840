import { defineConfig, devices } from '@playwright/test';
import { chromiumArguments, findChromium } from './scripts/chromium.ts';

const port = Number(process.env.E2E_PORT ?? 4173);
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // A machine that does other things as well is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['./scripts/browser-results.ts']],
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'retain-on-failure',
    // Drawing motion takes a fifth of the processor time. The main job and the toasts are tested with it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium(),
      args: chromiumArguments,
    },
  },
  projects: [{ name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } }],
  webServer: {
    command: 'node e2e/serve.ts',
    url: `http://localhost:${port}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PORT: String(port),
      LOG_LEVEL: 'warn',
      // Tests of what each address may do a limited number of times come from addresses of their own.
      TRUST_PROXY: '1',
      ADMIN_USERNAME: 'admin',
      ADMIN_EMAIL: 'admin@mail.example',
      ADMIN_PASSWORD: 'admin-password-1',
    },
  },
});
