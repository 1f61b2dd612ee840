import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Measurement } from './measurement.ts';
import { fullSizes, type Sizes, smokeDomains, smokeSizes } from './sizes.ts';

/** Number of listed domains in the large database if `--domains` is not used. */
export const defaultDomains = 10_000_000;

export type Options = ReturnType<typeof readOptions>;

/**
 * Reads the arguments of the command.
 * @param measurements all measurements
 * @throws an error with a sentence for the user
 */
export function readOptions(args: string[], measurements: readonly Omit<Measurement, 'run'>[]) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      domains: { type: 'string' },
      data: { type: 'string' },
      minutes: { type: 'string' },
      json: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const isSmoke = values.smoke;
  const allNames = measurements.map(({ name }) => name);
  const defaultNames = measurements.filter(({ needsBrowser }) => !(isSmoke && needsBrowser)).map(({ name }) => name);
  const names = values.only?.split(',') ?? defaultNames;
  const unknown = names.find((name) => !allNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no measurement named '${unknown}'. Use one or more of: ${allNames.join(', ')}.`);
  }
  const sizes = isSmoke ? smokeSizes : fullSizes;
  const domains = Number(values.domains ?? (isSmoke ? smokeDomains : defaultDomains));
  if (!Number.isInteger(domains) || domains < 1) throw new Error('--domains must be a whole number, 1 or greater.');
  const minutes = Number(values.minutes ?? sizes.load.minutes);
  if (!(minutes > 0 && minutes <= 180)) throw new Error('--minutes must be greater than 0 and at most 180.');
  return {
    help: values.help,
    isSmoke,
    /** Names of the measurements to run. */
    names,
    /** Number of listed domains in the large database. */
    domains,
    sizes: {
      ...sizes,
      importedInto: values.domains === undefined ? sizes.importedInto : [],
      load: { ...sizes.load, minutes },
    } satisfies Sizes,
    /** Absolute path; undefined: the databases are built for this run and removed. */
    dataFolder: values.data && resolve(values.data),
    /** Absolute path of the file for the results. */
    jsonFile: values.json && resolve(values.json),
  };
}
