import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { describeFailure, type Results, resultsVariable } from './results.ts';

/** Playwright reporter that writes the results for scripts/test.ts. */
// biome-ignore lint/style/noDefaultExport: Playwright expects a reporter as the default export.
export default class BrowserResults implements Reporter {
  #tests: TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  onEnd(): void {
    const path = process.env[resultsVariable];
    if (!path) return;
    const count = (outcome: string) => this.#tests.filter((test) => test.outcome() === outcome).length;
    const results: Results = {
      passed: count('expected'),
      failed: count('unexpected'),
      skipped: count('skipped'),
      failures: this.#tests
        .filter((test) => test.outcome() === 'unexpected')
        .map((test) =>
          describeFailure(getFile(test), test.title, test.results.at(-1)?.errors.map(describeError).join(' · ')),
        ),
      files: [...Map.groupBy(this.#tests, getFile)].map(([file, tests]) => ({
        file,
        setup: 0,
        import: 0,
        tests: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
      })),
    };
    writeFileSync(path, JSON.stringify(results));
  }
}

const getFile = (test: TestCase) => relative('', test.location.file);

/** A timeout says only in its second error what the test was waiting for. */
function describeError({ message = '', location }: TestError): string {
  const [firstLine = '', ...details] = stripVTControlCharacters(message).trim().split('\n');
  const awaited = details.find((line) => /^\s*(?:Locator:|- waiting )/.test(line))?.trim();
  const place = location && `${relative('', location.file)}:${location.line}`;
  return [firstLine, awaited, place].filter(Boolean).join(' ');
}
