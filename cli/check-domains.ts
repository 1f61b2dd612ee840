import { checkFile } from './check-file.ts';
import { runCommand } from './run-command.ts';
import { readSettings } from './settings.ts';

/** `npm run check-domains`: the command `linksieve check`. */
const program = 'npm run check-domains --';
process.exitCode = await runCommand(program, (stops) =>
  checkFile(program, process.argv.slice(2), readSettings(process.env), stops),
);
