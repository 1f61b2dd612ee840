import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getDomain } from 'tldts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { maxShortWaitSeconds } from './api.ts';

const defaultUrl = 'http://localhost:3000';
export const defaultTries = '8';

/** The help of the command. @param program what the user types before the options */
export const describeCheck = (program: string) => `Checks every domain of a file against the blacklist, through the API.

  ${program} FILE [options]
  ${program} - < list.txt > verdicts.csv

FILE is any file that the site can read: a backlink export (CSV, Excel, ODS, zip …), a disavow file, or a plain list of
domains or URLs. Use - for standard input. Each domain is checked once and costs one of the key's daily
requests. A call checks up to ${maxBulkDomains} domains. With --private, no domain is sent and no key is needed.

  --key KEY       API key from My Account. Prefer the environment variable LINKSIEVE_API_KEY, because other users
                  of this machine can see the arguments of a program
  --url ADDRESS   address of Linksieve (default: LINKSIEVE_URL, or ${defaultUrl})
  --out FILE      write the verdicts to a .csv or .json file. If the file is from an earlier run, its domains are not
                  checked again. During a run, the verdicts are in FILE.part.
                  Without this option: a table in a terminal, CSV otherwise
  --only-listed   output only listed domains. The others stay in FILE.part until everything is checked; a complete
                  file is checked again and replaced
  --column NAME   column with the linking pages or domains, if the wrong one was chosen
  --private       send only the first digits of each domain's SHA-256 hash, and compare the listed hashes on this
                  machine. Needs no key and a call for each domain. Niche and independent sources stay unknown
  --own DOMAIN    your own website; its links to itself are ignored
  --no-wait       stop when the key's daily requests are used up, instead of waiting for the next day. Waits of up
                  to ${maxShortWaitSeconds} seconds still happen
  --tries N       retries while the server is busy or not reachable (default: ${defaultTries})
  --quiet         print only errors, no progress or summary
  --help          print this help

Ctrl+C stops after the current call; press it again to stop immediately. Checked domains are saved.

Exit codes: 0 if everything was checked; 1 if the run could not finish (checked domains are saved); 2 for invalid
arguments or a file that cannot be read (nothing was checked).
`;

/** Invalid arguments, or a file that cannot be used. Nothing was checked. */
export class UsageError extends Error {}

export type Options = Exclude<ReturnType<typeof readOptions>, 'help'>;

/** @throws UsageError, whose message never contains the key */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Specify the file with the domains, or - for standard input.');
  if (more.length > 0) {
    throw new UsageError('Specify only one file. Put quotation marks around a name with spaces.');
  }
  if (values.own && getDomain(values.own) === null) {
    throw new UsageError('--own must be the domain of your website, such as mine.example.');
  }
  if (values.out !== undefined && !/\.(csv|json)$/i.test(values.out)) {
    throw new UsageError('The file name after --out must end in .csv or .json.');
  }
  const tries = parseTries(values.tries);
  // `npm run` changes to the package's folder, but paths are relative to the user's current folder.
  const { npm_lifecycle_event: script, INIT_CWD: userFolder } = environment;
  const folder = (script === 'check-domains' && userFolder) || process.cwd();
  return {
    /** Absolute path, or '-' for standard input. */
    file: file === '-' ? file : resolve(folder, file),
    /** Undefined: private checks. */
    key: values.private ? undefined : parseKey(values.key ?? environment.LINKSIEVE_API_KEY),
    /** Scheme, host and port of the server. */
    origin: readOrigin(values.url, environment),
    /** Absolute path; undefined: standard output. */
    out: values.out && resolve(folder, values.out),
    onlyListed: values['only-listed'],
    column: values.column,
    ownHost: values.own,
    wait: !values['no-wait'],
    tries,
    quiet: values.quiet,
  };
}

const options = {
  key: { type: 'string' },
  url: { type: 'string' },
  out: { type: 'string' },
  'only-listed': { type: 'boolean', default: false },
  column: { type: 'string' },
  own: { type: 'string', default: '' },
  private: { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
  tries: { type: 'string', default: defaultTries },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Converts an error of `parseArgs`. Its first sentence says what is wrong; the others explain Node.js syntax. */
export const toUsageError = (error: unknown): unknown =>
  error instanceof Error ? new UsageError(error.message.replace(/(\. .*)?\.?$/s, '.')) : error;

export function parseTries(text: string): number {
  const tries = Number(text || Number.NaN);
  if (!Number.isInteger(tries) || tries < 0) throw new UsageError('--tries must be a whole number, 0 or greater.');
  return tries;
}

export function parseKey(text = ''): string {
  const key = text.trim();
  if (!key) {
    throw new UsageError(
      'An API key is required: create one in My Account and set LINKSIEVE_API_KEY, or use --key. Private checks need none: use --private.',
    );
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  // fetch would throw an error that contains the key.
  throw new UsageError('The API key contains invalid characters. Copy it again from My Account.');
}

/** The address after --url, or that of the environment. @throws UsageError */
export const readOrigin = (url: string | undefined, { LINKSIEVE_URL }: NodeJS.ProcessEnv): string =>
  parseOrigin(url || LINKSIEVE_URL || defaultUrl);

function parseOrigin(text: string): string {
  const scheme = /^(localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https';
  const url = URL.parse(text.includes('://') ? text : `${scheme}://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('The server address must be an http or https address, such as https://linksieve.example.');
  }
  if (url.pathname === '/') return url.origin;
  throw new UsageError(`The server address must not contain a path: use ${url.origin}.`);
}

const fileErrors: Record<string, string> = {
  ENOENT: 'does not exist. Check the name',
  ENOTDIR: 'does not exist. Check the name',
  EACCES: 'cannot be accessed: you do not have permission',
  EPERM: 'cannot be accessed: you do not have permission',
  EROFS: 'could not be written: the file system is read-only',
  EISDIR: 'is a folder. Specify a file in it',
  ENOSPC: 'could not be written: the disk is full',
  EFBIG: 'could not be written: it exceeds the maximum file size',
};

/**
 * Converts a system error for a file, such as a full disk, to an error with a sentence. Returns any other error
 * unchanged.
 */
export function toFileError(name: string, error: unknown, Kind: new (message: string) => Error): unknown {
  const sentence = error instanceof Error && 'code' in error ? fileErrors[String(error.code)] : undefined;
  return sentence === undefined ? error : new Kind(`${name} ${sentence}.`);
}
