import type { Reporter, TestCase } from 'vitest/node';

/** Names, at the end of a run of Vitest, the tests that passed only when they were tried again. */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class NameRetries implements Reporter {
  readonly #retried: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#retried.push(test);
  }

  onTestRunEnd(): void {
    for (const test of this.#retried) {
      const [error] = test.result().errors ?? [];
      console.log(
        `Passed only at another try: ${test.module.relativeModuleId} > ${test.fullName}\n  ${error?.message ?? ''}`,
      );
    }
  }
}
