import { parseArgs } from 'node:util';
import { type Api, warnIfUnencrypted } from './api.ts';
import { defaultTries, parseKey, parseTries, readOrigin, toUsageError, UsageError } from './options.ts';

export const accountHelp = `Works with the websites of your account. Needs an API key with the scopes of the command.

  linksieve upload WEBSITE FILE ...   analyze backlink exports, wait and print the report (scopes read and write)
  linksieve report WEBSITE            print the newest report: its toxic domains (scope read)
  linksieve disavow WEBSITE [DOMAIN ...]
                                      disavow the domains (scope write), then print the disavow file (scope read)
  linksieve watch                     print how changes of the blacklist affected your websites (scope read)

WEBSITE is the domain or the id of a website in your account.

  --key KEY        API key. Prefer LINKSIEVE_API_KEY or the file of settings, because other users of this machine can
                   see the arguments of a program
  --url ADDRESS    address of Linksieve
  --json           print JSON instead of a table
  --fail-on-new    exit with code 3 if the report has toxic domains that the report before did not have, or, for watch,
                   if domains that link to your websites were listed or got a higher risk
  --add            upload: add the website if your account does not have it
  --column NAME    upload: column with the linking pages, if the wrong one was chosen
  --since TIME     watch: alerts from this time on, such as 2026-11-01 (default: the last 24 hours)
  --tries N        retries while the server is busy or not reachable (default: ${defaultTries})
  --quiet          print only results and errors
  --help           print this help

Exit codes: 0 if the command succeeded; 1 if it failed; 2 for invalid arguments; 3 with --fail-on-new, see above.
`;

export type AccountOptions = Exclude<ReturnType<typeof readAccountOptions>, 'help'>;

const options = {
  key: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
  'fail-on-new': { type: 'boolean', default: false },
  add: { type: 'boolean', default: false },
  column: { type: 'string' },
  since: { type: 'string' },
  tries: { type: 'string', default: defaultTries },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

const dayMs = 86_400_000;

/** @throws UsageError, whose message never contains the key */
export function readAccountOptions(args: string[], environment: NodeJS.ProcessEnv, signal: AbortSignal) {
  const { values, positionals } = parseOptions(args);
  if (values.help) return 'help';
  const tries = parseTries(values.tries);
  const since = values.since === undefined ? new Date(Date.now() - dayMs) : new Date(values.since);
  if (Number.isNaN(since.getTime())) throw new UsageError('--since must be a time such as 2026-11-01T00:00:00Z.');
  const origin = readOrigin(values.url, environment);
  const api: Api = { origin, key: parseKey(values.key ?? environment.LINKSIEVE_API_KEY), signal };
  warnIfUnencrypted(origin);
  return {
    /** What follows the name of the command. */
    words: positionals,
    api,
    tries,
    since: since.toISOString(),
    add: values.add,
    column: values.column,
    json: values.json,
    failOnNew: values['fail-on-new'],
    quiet: values.quiet,
  };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw toUsageError(error);
  }
}
