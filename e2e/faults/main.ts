import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeFailure, type Results, resultsVariable } from '../../scripts/results.ts';
import { accountFillsDiskTrial } from './account-fills-disk.ts';
import { allRoutesTrial } from './all-routes.ts';
import { backendKilledTrial } from './backend-killed.ts';
import { backupCopiesKilledTrial } from './backup-copies-killed.ts';
import { backupUnderWritesTrial } from './backup-under-writes.ts';
import { databaseCutTrial } from './database-cut.ts';
import { databaseDownTrial } from './database-down.ts';
import { diskFullTrial } from './disk-full.ts';
import { diskReserveTrial } from './disk-reserve.ts';
import { failoverTrial } from './failover.ts';
import { foreignFilesTrial } from './foreign-files.ts';
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
  backupCopiesKilledTrial,
  diskReserveTrial,
  diskFullTrial,
  accountFillsDiskTrial,
  uploadsAtOnceTrial,
  smallAfterLargeTrial,
  heavyUserTrial,
  allRoutesTrial,
  wrongSignInsTrial,
  lockedTableTrial,
  foreignFilesTrial,
  hostileInputsTrial,
  malformedRequestsTrial,
  slowClientsTrial,
  slowBodyStopTrial,
];

const usage = `npm run faults [-- --only NAME[,NAME]] [--short]

  --only   trials to run: ${trials.map(({ name }) => name).join(', ')}
  --short  runs only the trials that npm run test:thorough runs`;

interface Row extends Pick<Trial, 'name' | 'fault' | 'promise'> {
  figures: string;
  verdict: 'kept' | 'broken' | 'skipped';
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
    console.error(`  ${row.verdict}: ${row.figures}`);
    rows.push(row);
  }
  console.log(formatTable(rows));
  const path = process.env[resultsVariable];
  if (path) await writeFile(path, JSON.stringify(toResults(rows)));
  process.exit(rows.some(({ verdict }) => verdict === 'broken') ? 1 : 0);
}

async function runTrial({ name, fault, promise, needsRoot, run }: Trial): Promise<Row> {
  const start = Date.now();
  const finish = (figures: string, verdict: Row['verdict']) => {
    return { name, fault, promise, figures, verdict, milliseconds: Date.now() - start };
  };
  if (needsRoot && process.getuid?.() !== 0) return finish('needs root', 'skipped');
  try {
    return finish(await run(), 'kept');
  } catch (error) {
    console.error(error);
    return finish(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), 'broken');
  }
}

function formatTable(rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['trial', 'fault', 'promise', 'result', 'verdict']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map(({ name, fault, promise, figures, verdict }) =>
      line([name, fault, promise, figures, verdict === 'broken' ? '**broken**' : verdict]),
    ),
  ].join('\n');
}

function toResults(rows: Row[]): Results {
  const count = (wanted: Row['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length;
  const files = rows.map(({ name, milliseconds }) => ({
    file: `e2e/faults/${name}.ts`,
    setup: 0,
    import: 0,
    tests: milliseconds,
  }));
  const failures = rows
    .filter(({ verdict }) => verdict === 'broken')
    .map(({ name, promise, figures }) => describeFailure(`e2e/faults/${name}.ts`, promise, figures));
  return { failures, passed: count('kept'), failed: count('broken'), skipped: count('skipped'), files };
}
