import packageJson from '../package.json' with { type: 'json' };
import { disavow, report, runAccountCommand, upload, watch } from './account-commands.ts';
import { accountHelp } from './account-options.ts';
import { checkFile } from './check-file.ts';
import { describeCheck, UsageError } from './options.ts';
import { runCommand } from './run-command.ts';
import { readSettings } from './settings.ts';

const accountCommands = { upload, report, disavow, watch };
const checkProgram = 'linksieve check';

/** The program of the package: `linksieve COMMAND …`. */
const [command = '', ...args] = process.argv.slice(2);
process.exitCode = await runCommand('linksieve', async (stops) => {
  if (['help', '--help', '-h'].includes(command)) {
    process.stdout.write(`${describeCheck(checkProgram)}\n${accountHelp}`);
    return 0;
  }
  if (command === '--version') {
    process.stdout.write(`${packageJson.version}\n`);
    return 0;
  }
  const environment = readSettings(process.env);
  if (command === 'check') return await checkFile(checkProgram, args, environment, stops);
  if (isAccountCommand(command)) return await runAccountCommand(accountCommands[command], args, environment, stops);
  throw new UsageError('Specify a command: check, upload, report, disavow or watch.');
});

function isAccountCommand(name: string): name is keyof typeof accountCommands {
  return Object.hasOwn(accountCommands, name);
}
