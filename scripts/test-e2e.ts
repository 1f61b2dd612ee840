import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireChromium, requireChromiumForExtensions } from './chromium.ts';

/**
 * `npm run test:e2e`: runs the browser tests with the arguments of `playwright test`. Reports a missing Chromium in one
 * sentence.
 */
let chromium: string;
try {
  chromium = requireChromium();
  // Only the longer ring tests the extension.
  if (process.env.TEST_THOROUGH === '1') requireChromiumForExtensions();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// Ctrl+C reaches both processes. This one waits until Playwright has stopped its server.
process.on('SIGINT', () => undefined);
const child = spawn('playwright', ['test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CHROME_PATH: chromium },
});
const [status] = await once(child, 'close');
process.exit(status ?? 1);
