import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { requireChromium } from './chromium.ts';

/**
 * `npm test`: static checks, unit and integration tests, browser tests; one sum at the end, whatever dies on the way.
 * Here alone a test that fails has a second try: a fault that does not show again is named at the end of its step.
 * It is to be mended, but keeps nobody from landing.
 */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));
const unitResults = join(folder, 'unit.json');
const browserResults = join(folder, 'browser.json');

const UnitResults = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() });
const BrowserResults = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** A step that has ended: whether well, and its last lines. */
type Ended = { title: string; done: boolean; lastLines: string };
const linesKept = 120;

let [passed, failed, skipped] = [0, 0, 0];

const checks = await step('Static checks', 'npm', ['run', '--silent', 'check']);
count(checks.done, [0, 0, 0]);

const tests = await step('Unit and integration tests', 'vitest', [
  'run',
  '--retry=1',
  '--reporter=default',
  `--reporter=${join(import.meta.dirname, 'name-retries.ts')}`,
  '--reporter=json',
  `--outputFile.json=${unitResults}`,
]);
const unit = resultsOf(unitResults, UnitResults);
count(tests.done, unit && [unit.numPassedTests, unit.numFailedTests, unit.numPendingTests]);

const chromium = chromiumOrReason();
const pages =
  chromium === undefined
    ? undefined
    : await step('Browser tests', 'playwright', ['test', '--retries=1', '--trace=on-first-retry'], {
        CHROME_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: browserResults,
      });
const stats = resultsOf(browserResults, BrowserResults)?.stats;
count(pages?.done ?? false, stats && [stats.expected + stats.flaky, stats.unexpected, stats.skipped]);

rmSync(folder, { recursive: true, force: true });
for (const { title, done, lastLines } of [checks, tests]) {
  if (!done) console.log(`\n— ${title}: the last lines, once more\n${lastLines}`);
}
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

async function step(
  title: string,
  program: string,
  parameters: string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  console.log(`\n— ${title}`);
  const child = spawn(program, parameters, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...environment },
  });
  let lastLines = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      lastLines = (lastLines + text).split('\n').slice(-linesKept).join('\n');
    });
  }
  try {
    const [status] = await once(child, 'close');
    return { title, done: status === 0, lastLines };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { title, done: false, lastLines };
  }
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
