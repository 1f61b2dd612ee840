import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { describeFailure, type Results, resultsVariable } from './results.ts';

/** Vitest reporter that writes the results for scripts/test.ts. */
// biome-ignore lint/style/noDefaultExport: Vitest expects a reporter as the default export.
export default class UnitResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[resultsVariable];
    if (!path) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const results: Results = {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      failures: tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => describeFailure(test.module.relativeModuleId, test.name, test.result().errors?.[0]?.message)),
      files: modules.map(toFileTimes),
    };
    writeFileSync(path, JSON.stringify(results));
  }
}

function toFileTimes(module: TestModule): Results['files'][number] {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const setup = environmentSetupDuration + prepareDuration + setupDuration;
  return { file: module.relativeModuleId, setup, import: collectDuration, tests: duration };
}
