import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { requireChromium } from './chromium.ts';

/** `npm test`: static checks, unit and integration tests, browser tests; one sum at the end, whatever dies on the way. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));
const unitResults = join(folder, 'unit.json');
const browserResults = join(folder, 'browser.json');

const UnitResults = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() });
const BrowserResults = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

let [passed, failed, skipped] = [0, 0, 0];

count(step('Static checks', 'npm', ['run', '--silent', 'check']), [0, 0, 0]);

const unitDone = step('Unit and integration tests', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitResults}`,
]);
const unit = resultsOf(unitResults, UnitResults);
count(unitDone, unit && [unit.numPassedTests, unit.numFailedTests, unit.numPendingTests]);

const chromium = chromiumOrReason();
const browserDone =
  chromium !== undefined &&
  step('Browser tests', 'playwright', ['test'], {
    CHROME_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: browserResults,
  });
const stats = resultsOf(browserResults, BrowserResults)?.stats;
count(browserDone, stats && [stats.expected + stats.flaky, stats.unexpected, stats.skipped]);

rmSync(folder, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

/** @returns whether the program ended well */
function step(title: string, program: string, parameters: string[], environment: Record<string, string> = {}): boolean {
  console.log(`\n— ${title}`);
  const { status, error } = spawnSync(program, parameters, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (error) console.error(error.message);
  return status === 0;
}

/** What a step has written down; undefined when it died before. */
function resultsOf<S extends z.ZodMiniType>(path: string, schema: S): z.output<S> | undefined {
  try {
    return existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}

/** Adds a step to the sum. One that ends badly without a failed test, or leaves no results, is a failure of its own. */
function count(done: boolean, results: [passed: number, failed: number, skipped: number] | undefined): void {
  const [ownPassed, ownFailed, ownSkipped] = results ?? [0, 0, 0];
  passed += ownPassed;
  failed += Math.max(ownFailed, done && results ? 0 : 1);
  skipped += ownSkipped;
}

function chromiumOrReason(): string | undefined {
  try {
    return requireChromium();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}
