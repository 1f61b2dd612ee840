import { defineConfig, devices } from '@playwright/test';
import { chromiumArguments, findChromium } from './scripts/chromium.ts';

/**
 * Tests that take long to prove something have names that end in `.thorough.spec.ts`. They run alone, with this
 * variable.
 */
const isThorough = process.env.TEST_THOROUGH === '1';
const thoroughTests = '**/*.thorough.spec.ts';
const port = Number(process.env.E2E_PORT ?? 4173);
export default defineConfig({
  testDir: 'e2e',
  testMatch: isThorough ? thoroughTests : '**/*.spec.ts',
  testIgnore: isThorough ? [] : thoroughTests,
  outputDir: 'test-results',
  // Long enough for a busy machine.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // More would keep two processors no busier, and make pages too slow for what tests wait for. A page of a slow device
  // uses a whole processor.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['./scripts/browser-results.ts']],
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'retain-on-failure',
    // Animations take a fifth of the processor time. Only the tests of the main flow and the toasts enable them.
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
      // Tests of rate limits send X-Forwarded-For to use different addresses.
      TRUST_PROXY: '1',
      // withTxtRecords in sample-data.ts starts this name server.
      DNS_SERVERS: `127.0.0.1:${port + 1000}`,
      // The specification's message about a website that someone else has is part of the tests.
      PROFILE_SCOPE: 'system',
      ADMIN_USERNAME: 'admin',
      ADMIN_EMAIL: 'admin@mail.example',
      ADMIN_PASSWORD: 'admin-password-1',
    },
  },
});
