import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Number of listed domains in the large database if `--domains` is not used. */
export const defaultDomains = 10_000_000;

export type Options = ReturnType<typeof readOptions>;

/**
 * Reads the arguments of the command. Throws an error with a sentence for the user.
 * @param allNames names of all measurements
 */
export function readOptions(args: string[], allNames: readonly string[]) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      domains: { type: 'string', default: String(defaultDomains) },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',') ?? allNames;
  const unknown = names.find((name) => !allNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no measurement named '${unknown}'. Use one or more of: ${allNames.join(', ')}.`);
  }
  const domains = Number(values.domains);
  if (!Number.isInteger(domains) || domains < 1) throw new Error('--domains must be a whole number, 1 or greater.');
  return {
    help: values.help,
    /** Names of the measurements to run. */
    names,
    /** Number of listed domains in the large database. */
    domains,
    /** Absolute path; undefined: the databases are built for this run and removed. */
    dataFolder: values.data && resolve(values.data),
  };
}
