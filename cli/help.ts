import { bulkLimit } from '#shared/key-checks.ts';

export const defaultUrl = 'http://localhost:3000';
export const defaultTries = 8;
/** Longest wait in seconds that `--no-wait` still allows: the server's limit for one address is over within it. */
export const shortWait = 60;

export const help = `Checks every domain of a file against the blacklist, through the API.

  npm run check-domains -- FILE [options]
  npm run --silent check-domains -- - < list.txt > verdicts.csv

FILE is any file that the site reads: a backlink export (CSV, tab-separated, UTF-16 …), a disavow file, or a plain list of
domains or addresses. - reads standard input. Each domain is asked once and costs one request of the key's day, ${bulkLimit} in one
call.

  --key KEY       API key, from My Account. Other users of this machine can see the arguments of a program:
                  rather set LINKSIEVE_API_KEY in the environment
  --url ADDRESS   where Linksieve is; else LINKSIEVE_URL, else ${defaultUrl}
  --out FILE      writes the verdicts into a file, by its ending .csv or .json, as they arrive. A file of an earlier run is
                  continued: what stands in it is not asked again.
                  Without it: a table in a terminal, CSV where the output goes elsewhere
  --only-listed   only the domains that are listed. What is not, is kept beside --out until everything is checked; a file that
                  is complete is checked anew and replaced
  --column NAME   the column with the linking pages or domains, where the wrong one was chosen
  --own DOMAIN    your own website, whose links to itself are left out
  --no-wait       stops when the key's requests of the day are used up, instead of waiting for the next day.
                  Waits of up to ${shortWait} seconds are still waited
  --tries N       how often a call is repeated while the server is away or busy (default: ${defaultTries})
  --quiet         no progress and no summary; errors only
  --help          this text

Ctrl+C stops after the call that is under way; a second one stops at once. What was checked is kept.

Ends with 0: everything is checked. 1: it could not finish; what was checked is kept. 2: wrong use, or a file that can not be
read; nothing was asked.
`;
