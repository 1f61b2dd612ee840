import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { requireChromium } from './chromium.ts';

/** `npm test`: static checks, unit and integration tests, browser tests; one sum at the end. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));
const unitResults = join(folder, 'unit.json');
const browserResults = join(folder, 'browser.json');

const UnitResults = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() });
const BrowserResults = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

let failedSteps = 0;
let [passed, failed, skipped] = [0, 0, 0];

step('Static checks', 'npm', ['run', '--silent', 'check']);

step('Unit and integration tests', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitResults}`,
]);
const unit = UnitResults.parse(JSON.parse(readFileSync(unitResults, 'utf8')));
passed += unit.numPassedTests;
failed += unit.numFailedTests;
skipped += unit.numPendingTests;

const chromium = requireChromium();
step('Browser tests', 'playwright', ['test'], { CHROME_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: browserResults });
const { stats } = BrowserResults.parse(JSON.parse(readFileSync(browserResults, 'utf8')));
passed += stats.expected;
failed += stats.unexpected + stats.flaky;
skipped += stats.skipped;

rmSync(folder, { recursive: true, force: true });
// A step can fail without a failed test, as the static checks do.
failed = Math.max(failed, failedSteps);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

function step(title: string, program: string, parameters: string[], environment: Record<string, string> = {}): void {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(program, parameters, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) failedSteps += 1;
}
