import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireChromium } from './chromium.ts';

/** `npm run test:e2e`: the browser tests, with the parameters of `playwright test`. A missing Chromium is one sentence. */
let chromium: string;
try {
  chromium = requireChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// The terminal sends Ctrl+C to both: Playwright stops its server, and this process waits for that.
process.on('SIGINT', () => undefined);
const child = spawn('playwright', ['test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CHROME_PATH: chromium },
});
const [status] = await once(child, 'close');
process.exit(status ?? 1);
