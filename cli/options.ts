import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getDomain } from 'tldts';
import { maxBulkDomains } from '#shared/key-checks.ts';
import { maxShortWait } from './api.ts';

const defaultUrl = 'http://localhost:3000';
const defaultTries = '8';

export const help = `Checks every domain of a file against the blacklist, through the API.

  npm run check-domains -- FILE [options]
  npm run --silent check-domains -- - < list.txt > verdicts.csv

FILE is any file that the site reads: a backlink export (CSV, tab-separated, UTF-16 …), a disavow file, or a plain list of
domains or addresses. - reads standard input. Each domain is asked once and costs one request of the key's day, ${maxBulkDomains} in one
call.

  --key KEY       API key, from My Account. Other users of this machine can see the arguments of a program:
                  rather set LINKSIEVE_API_KEY in the environment
  --url ADDRESS   where Linksieve is; else LINKSIEVE_URL, else ${defaultUrl}
  --out FILE      writes the verdicts into a file, by its ending .csv or .json. A file of an earlier run is continued: the
                  domains in it are not checked again. During a run the verdicts are in FILE.part.
                  Without it: a table in a terminal, CSV where the output goes elsewhere
  --only-listed   only the domains that are listed. The others are kept in FILE.part until everything is checked; a file
                  that is complete is checked again and replaced
  --column NAME   the column with the linking pages or domains, where the wrong one was chosen
  --own DOMAIN    your own website, whose links to itself are left out
  --no-wait       stops when the key's requests of the day are used up, instead of waiting for the next day.
                  Waits of up to ${maxShortWait} seconds are still waited
  --tries N       how often a call is repeated while the server is away or busy (default: ${defaultTries})
  --quiet         no progress and no summary; errors only
  --help          this text

Ctrl+C stops after the call that is under way; a second one stops at once. What was checked is kept.

Ends with 0: everything is checked. 1: it could not finish; what was checked is kept. 2: wrong use, or a file that can not be
read; nothing was asked.
`;

/** Wrong arguments, or a file that can not be used. No domain was asked for. */
export class UsageError extends Error {}

export type Options = Exclude<ReturnType<typeof readOptions>, 'help'>;

/** Throws UsageError. Its message never contains the key. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Name the file with the domains, or - for standard input.');
  if (more.length > 0) {
    throw new UsageError('Name one file only. An argument with spaces needs quotation marks around it.');
  }
  if (values.own && getDomain(values.own) === null) {
    throw new UsageError('--own takes the domain of your website, such as mine.example.');
  }
  if (values.out !== undefined && !/\.(csv|json)$/i.test(values.out)) {
    throw new UsageError('The name after --out must end in .csv or .json.');
  }
  const tries = Number(values.tries || Number.NaN);
  if (!Number.isInteger(tries) || tries < 0) throw new UsageError('--tries takes a whole number from 0.');
  // `npm run` changes to the folder of the package. Paths are relative to the folder that the user is in.
  const { npm_lifecycle_event: script, INIT_CWD: userFolder } = environment;
  const folder = (script === 'check-domains' && userFolder) || process.cwd();
  return {
    /** Absolute path, or '-' for standard input. */
    file: file === '-' ? file : resolve(folder, file),
    key: keyFrom(values.key ?? environment.LINKSIEVE_API_KEY),
    /** Scheme, host and port of the server. */
    origin: originFrom(values.url || environment.LINKSIEVE_URL || defaultUrl),
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
  'no-wait': { type: 'boolean', default: false },
  tries: { type: 'string', default: defaultTries },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    // The first sentence says what is wrong; the others explain a syntax of Node.js.
    throw error instanceof Error ? new UsageError(error.message.replace(/(\. .*)?\.?$/s, '.')) : error;
  }
}

function keyFrom(text = ''): string {
  const key = text.trim();
  if (!key) throw new UsageError('An API key is needed: set LINKSIEVE_API_KEY, or use --key. My Account has the keys.');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  // fetch refuses other characters with an error that contains the key.
  throw new UsageError('The API key has characters that no key has. Please copy it again.');
}

function originFrom(text: string): string {
  const scheme = /^(localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https';
  const url = URL.parse(text.includes('://') ? text : `${scheme}://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      'The address of the server must be an http or https address, such as https://linksieve.example.',
    );
  }
  if (url.pathname === '/') return url.origin;
  throw new UsageError(`Linksieve must be at the root of its host: its address is ${url.origin} alone.`);
}

const sentences: Record<string, string> = {
  ENOENT: 'is not there. Please check the name',
  ENOTDIR: 'is not there. Please check the name',
  EACCES: 'may not be read or written by you',
  EPERM: 'may not be read or written by you',
  EROFS: 'lies where nothing can be written',
  EISDIR: 'is a folder. Name a file in it',
  ENOSPC: 'does not fit: there is no disk space left',
  EFBIG: 'does not fit: no file may become that large here',
};

/** A system error of a file the user named, such as a full disk, as a sentence. Any other error is returned as it is. */
export function fileError(name: string, error: unknown, Kind: new (message: string) => Error): unknown {
  const sentence = error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
  return sentence === undefined ? error : new Kind(`${name} ${sentence}.`);
}
