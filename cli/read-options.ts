import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultTries, defaultUrl } from './help.ts';
import { WrongUse } from './stop.ts';

export interface Options {
  /** Absolute path, or '-' for standard input. */
  file: string;
  key: string;
  /** Scheme, host and port of the server. */
  origin: string;
  /** Absolute path; undefined: standard output. */
  out: string | undefined;
  onlyListed: boolean;
  column: string | undefined;
  ownHost: string;
  /** Also for long, until the server answers again. */
  wait: boolean;
  tries: number;
  quiet: boolean;
}

const flags = {
  key: { type: 'string' },
  url: { type: 'string' },
  out: { type: 'string' },
  'only-listed': { type: 'boolean' },
  column: { type: 'string' },
  own: { type: 'string' },
  'no-wait': { type: 'boolean' },
  tries: { type: 'string' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The arguments of the command, settled. Throws WrongUse with a sentence, in which no key stands. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new WrongUse('Name the file with the domains, or - for standard input.');
  if (more.length > 0) {
    throw new WrongUse('Name one file only. An argument with spaces needs quotation marks around it.');
  }
  const folder = folderOf(environment);
  return {
    file: file === '-' ? file : resolve(folder, file),
    key: keyFrom(values.key ?? environment.LINKSIEVE_API_KEY),
    origin: originFrom(values.url || environment.LINKSIEVE_URL || defaultUrl),
    out: values.out === undefined ? undefined : outFrom(values.out, folder),
    onlyListed: values['only-listed'] ?? false,
    column: values.column,
    ownHost: values.own ?? '',
    wait: values['no-wait'] !== true,
    tries: triesFrom(values.tries),
    quiet: values.quiet ?? false,
  };
}

/** Whether the way to the server never leaves this machine. */
export function isThisMachine(origin: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true });
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split('. ') : [];
    throw new WrongUse(`${sentence?.replace(/\.$/, '')}.`);
  }
}

/** `npm run` moves to the folder of the package; paths are meant from where the person stands. */
function folderOf(environment: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: script, INIT_CWD: start } = environment;
  return script === 'check-domains' && start ? start : process.cwd();
}

function keyFrom(text: string | undefined): string {
  const key = text?.trim();
  if (!key) throw new WrongUse('An API key is needed: set LINKSIEVE_API_KEY, or use --key. My Account has the keys.');
  // Anything else can not be sent, and the error of the sender would print it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new WrongUse('The API key has characters that no key has. Please copy it again.');
  return key;
}

function originFrom(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const scheme = /^(localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https';
  const address = hasScheme ? text : `${scheme}://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(
      'The address of the server must be an http or https address, such as https://linksieve.example.',
    );
  }
  if (url.pathname !== '/') {
    throw new WrongUse(`Linksieve stands at the root of its host: its address is ${url.origin} alone.`);
  }
  return url.origin;
}

function outFrom(text: string, folder: string): string {
  if (!/\.(csv|json)$/i.test(text)) throw new WrongUse('The name after --out must end in .csv or .json.');
  return resolve(folder, text);
}

function triesFrom(text: string | undefined): number {
  const tries = text === undefined ? defaultTries : Number(text);
  if (!Number.isInteger(tries) || tries < 0 || text === '') throw new WrongUse('--tries takes a whole number from 0.');
  return tries;
}
