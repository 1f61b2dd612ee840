import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Results, resultsVariable } from '../../scripts/results.ts';
import { backendKilledTrial } from './backend-killed.ts';
import { backupUnderWritesTrial } from './backup-under-writes.ts';
import { databaseCutTrial } from './database-cut.ts';
import { databaseDownTrial } from './database-down.ts';
import { diskFullTrial } from './disk-full.ts';
import { diskReserveTrial } from './disk-reserve.ts';
import { failoverTrial } from './failover.ts';
import { heavyUserTrial } from './heavy-user.ts';
import { hostileInputsTrial } from './hostile-inputs.ts';
import { initdbKilledTrial } from './initdb-killed.ts';
import { killedAnalysesTrial } from './killed-analyses.ts';
import { killedImportsTrial } from './killed-imports.ts';
import { lockedTableTrial } from './locked-table.ts';
import { malformedRequestsTrial } from './malformed-requests.ts';
import { postmasterKilledTrial } from './postmaster-killed.ts';
import { slowBodyStopTrial } from './slow-body-stop.ts';
import { slowClientsTrial } from './slow-clients.ts';
import { smallAfterLargeTrial } from './small-after-large.ts';
import type { Trial } from './trial.ts';
import { twoMachinesTrial } from './two-machines.ts';
import { uploadsAtOnceTrial } from './uploads-at-once.ts';
import { wrongSignInsTrial } from './wrong-sign-ins.ts';

/** All trials, in the order of the table. */
const trials: Trial[] = [
  killedImportsTrial,
  killedAnalysesTrial,
  twoMachinesTrial,
  databaseCutTrial,
  backendKilledTrial,
  postmasterKilledTrial,
  databaseDownTrial,
  initdbKilledTrial,
  failoverTrial,
  backupUnderWritesTrial,
  diskReserveTrial,
  diskFullTrial,
  uploadsAtOnceTrial,
  smallAfterLargeTrial,
  heavyUserTrial,
  wrongSignInsTrial,
  lockedTableTrial,
  hostileInputsTrial,
  malformedRequestsTrial,
  slowClientsTrial,
  slowBodyStopTrial,
];

const usage = `npm run faults [-- --only NAME[,NAME]] [--short]

  --only   trials to run: ${trials.map(({ name }) => name).join(', ')}
  --short  runs only the trials that npm test runs`;

interface Row extends Pick<Trial, 'name' | 'fault' | 'promise'> {
  figures: string;
  isKept: boolean;
  milliseconds: number;
}

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, short: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (options.help) console.log(usage);
else await runTrials(selectTrials(options));

function selectTrials({ only, short }: { only?: string; short?: boolean }): Trial[] {
  const names = only?.split(',');
  const unknown = names?.find((wanted) => !trials.some(({ name }) => name === wanted));
  if (unknown !== undefined) {
    console.error(`There is no trial named ${unknown}.\n${usage}`);
    process.exit(2);
  }
  return trials.filter((trial) => (names ? names.includes(trial.name) : !short || trial.short));
}

/** Runs the trials one after another and prints a table. The exit code is 1 if a promise was broken. */
async function runTrials(selected: Trial[]): Promise<void> {
  const rows: Row[] = [];
  for (const trial of selected) {
    console.error(`${trial.name}: ${trial.fault} …`);
    const row = await runTrial(trial);
    console.error(`  ${row.isKept ? 'kept' : 'broken'}: ${row.figures}`);
    rows.push(row);
  }
  console.log(formatTable(rows));
  const path = process.env[resultsVariable];
  if (path) await writeFile(path, JSON.stringify(toResults(rows)));
  process.exit(rows.every(({ isKept }) => isKept) ? 0 : 1);
}

async function runTrial({ name, fault, promise, run }: Trial): Promise<Row> {
  const start = Date.now();
  const finish = (figures: string, isKept: boolean) => {
    return { name, fault, promise, figures, isKept, milliseconds: Date.now() - start };
  };
  try {
    return finish(await run(), true);
  } catch (error) {
    console.error(error);
    return finish(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), false);
  }
}

function formatTable(rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['trial', 'fault', 'promise', 'result', 'verdict']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map(({ name, fault, promise, figures, isKept }) =>
      line([name, fault, promise, figures, isKept ? 'kept' : '**broken**']),
    ),
  ].join('\n');
}

function toResults(rows: Row[]): Results {
  const kept = rows.filter(({ isKept }) => isKept).length;
  const files = rows.map(({ name, milliseconds }) => ({
    file: `e2e/faults/${name}.ts`,
    setup: 0,
    import: 0,
    tests: milliseconds,
  }));
  return { passed: kept, failed: rows.length - kept, skipped: 0, retried: [], files };
}
