import { apiKeyLimits } from '../accounts/api-keys.ts';
import { maxUnfinishedAnalyses, maxUploadBytes } from '../platform/uploads.ts';
import { maxQueryLength } from './checks.ts';
import { maxBulkDomains, maxKeyCallsPerMinute } from './key-checks.ts';
import { formatNumber, headers, rateLimitHeaders } from './openapi-components.ts';
import { errorResponses, rateLimitErrors } from './openapi-errors.ts';
import * as examples from './openapi-examples.ts';
import { monthPrograms } from './openapi-month.ts';
import { getRange, getRangeInfo, minRangeHashes, prefixDigits } from './range.ts';

/** Why a key must stay secret, and what to do if it leaks. */
export const keySafety =
  'Anyone with your key can act as you. Store it in a secret manager or an environment variable, never in public code or on a public page. If it leaks, delete it in your account, or rotate it and stop the old value: it stops working immediately.';

/** A table in Markdown. */
function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A block of code in Markdown. The page uses the words after the language as its title. */
function codeBlock(language: string, label: string, code: string): string {
  return `\`\`\`${language} ${label}\n${code}\n\`\`\``;
}

/** Rows of the table of errors: each error once, by status. */
function errorRows() {
  const unique = new Map(Object.values(errorResponses).map((error) => [error.meaning, error]));
  return [...unique.values()]
    .sort((a, b) => a.status - b.status)
    .map(({ status, code, meaning, action }) => [status, `\`${code}\``, meaning, action]);
}

const { day, left, minute, failures } = rateLimitErrors;
const dailyLimit = formatNumber(apiKeyLimits.requestsPerDay);

/**
 * What applies to more than one call, in CommonMark, with the blocks that `web/checks/api-docs/markdown.tsx` supports.
 * The page shows each chapter as a section: the text before the first heading and the first chapter before the calls,
 * the next two chapters (limits, errors) with the objects, and the others at the end.
 */
export const buildGuide = (origin: string, programs = monthPrograms(origin)) => [
  `The Linksieve API tells you whether a domain is known or suspected to sell backlinks, and does the work of the site for your own programs: upload backlink exports, read reports, decide, and fetch the disavow file. Check a single domain, such as one that a user enters, or up to ${maxBulkDomains} domains in one call, such as the result of a crawl.`,
  'Send query parameters or a JSON body. Responses are JSON, apart from a CSV file and the disavow file. Times are ISO 8601 in UTC. Limits are counted in requests: one request is one checked domain.',

  '## Authentication',
  'Send your API key in the `X-API-Key` header of every call. Without a valid key, you get 401. Cookies and sessions have no effect.',
  `You can have up to ${apiKeyLimits.maxKeys} keys. Create one for each program, so that you can delete one without affecting the others.`,
  'What a key can do is up to its scopes. Choose them when you create it. A call beyond them gets 403 `missing_scope` with the missing `scope`. No scope includes another.',
  table(
    ['Scope', 'Allows'],
    [
      ['`check`', 'Check domains and read the usage of the key. A new key has only this scope.'],
      ['`read`', 'Read your websites, reports, decisions, disavow files and alerts'],
      ['`write`', 'Add and change websites, upload exports, decide, and submit sites'],
    ],
  ),
  'You can remove scopes from a key in your account, but not add any. A key from before scopes has `check` and `read`.',
  'A key works until you delete it, unless you choose an expiry when you create it. An expired key gets 401 with the time when it expired.',
  'To replace the value of a key without downtime, rotate it in your account. The new value works immediately, and the old one for as long as you choose: not at all, 24 hours or 7 days. Both share the limits of the key. Update your program during that time.',
  `> **Keep your keys secret.** ${keySafety}`,
  codeBlock('http', 'authentication header', `X-API-Key: ${examples.apiKeyPlaceholder}`),
  codeBlock(
    'json',
    'response without a key (401)',
    JSON.stringify(
      errorResponses.Unauthorized.response.content['application/problem+json'].examples.missing?.value,
      null,
      2,
    ),
  ),

  '## Rate limits',
  `Each key has ${dailyLimit} requests per day, counted from 00:00 UTC. A request is one checked domain: a bulk check of ${maxBulkDomains} domains counts as ${maxBulkDomains} requests. Calls that do not check domains are free.`,
  'Calls that fail with status 400 or above do not count toward the daily limit. `HEAD` works wherever `GET` does and counts the same.',
  table(
    ['Limit', 'Value', 'Header', 'What happens'],
    [
      ['Requests per day', `${dailyLimit} per key`, '`X-RateLimit-Remaining`', '429 until 00:00 UTC'],
      [
        'Calls per minute',
        `${formatNumber(maxKeyCallsPerMinute.withKey)} per key`,
        '`Retry-After`',
        '429 for up to 60 seconds',
      ],
      [
        'Calls per minute without a valid key',
        `${maxKeyCallsPerMinute.withoutKey} per IP address, or per /64 network for IPv6`,
        '`Retry-After`',
        '429 for up to 60 seconds. Calls with a valid key still work.',
      ],
      ['Domains in a bulk check', formatNumber(maxBulkDomains), 'none', '400. Nothing is checked.'],
      [
        'Length of a domain or URL',
        `${formatNumber(maxQueryLength)} characters`,
        'none',
        '400. In a bulk check, only that entry gets an `error`.',
      ],
      [
        'URL and headers',
        '16 KiB (16,384 bytes) together',
        'none',
        '431. Nothing is checked. Many proxies refuse URLs above 8,000 characters.',
      ],
      ['Request body', '2 MiB (2,097,152 bytes)', 'none', '413. Nothing is checked.'],
      [
        'Files of an upload',
        `${formatNumber(maxUploadBytes / 2 ** 20)} MB together`,
        'none',
        '413. Nothing is analyzed.',
      ],
      [
        'Unfinished uploads and analyses',
        `${maxUnfinishedAnalyses} per account`,
        '`Retry-After`',
        '429 until one has finished, or its question is answered.',
      ],
      ['API keys per account', apiKeyLimits.maxKeys, 'none', 'Delete a key before you create another one.'],
    ],
  ),
  '### Headers',
  'Every response to a valid key has these headers, also errors. Without a valid key, `RateLimit-Policy` and `RateLimit` describe the limit of calls without a key.',
  table(
    ['Header', 'Meaning'],
    [...rateLimitHeaders, 'Retry-After' as const].map((name) => [`\`${name}\``, headers[name].description]),
  ),
  '### Status 429',
  table(
    ['Cause', 'X-RateLimit-Remaining', 'Retry-After', 'What to do'],
    [
      [day.summary, '0', 'seconds until 00:00 UTC', 'Wait. You can still get the usage.'],
      [
        left.summary,
        'above 0',
        'seconds until 00:00 UTC',
        'Send at most as many entries as requests are left, or wait.',
      ],
      [minute.summary, 'unchanged', '60 or less', 'Wait, then make fewer calls.'],
      [failures.summary, 'not sent', '60 or less', 'Wait, then send a valid key.'],
    ],
  ),

  '## Errors',
  'The status tells you whether a call worked: below 400 means success, 400 and above an error. Every error is a problem object (RFC 9457, `application/problem+json`). Show `error` to users, branch on the status and `code`, and log `requestId`.',
  table(['Status', 'Code', 'Meaning', 'What to do'], errorRows()),

  '## Automate your month',
  'A key with the scopes `read` and `write` can do the work of a month. Run one of these programs with an export of your SEO tool, `links.csv`:',
  [
    '- **Upload.** `startAnalysis` receives one or more files and returns the id of an analysis.',
    '- **Wait.** Read the analysis every few seconds, or create a webhook for `report.completed` in your account. Its event has the id of the report.',
    '- **Read and decide.** List the undecided domains of the report, and store up to 1,000 decisions at once.',
    '- **Fetch the disavow file.** It contains your newest uploaded disavow file, merged with your decisions. Upload it to the disavow tool of Google.',
  ].join('\n'),
  '> **Look before you disavow.** The programs disavow every undecided domain with a high risk. A listing is not proof that a particular link was paid for, so change this rule to yours.',
  codeBlock('sh', 'curl and jq', programs.curl),
  codeBlock('typescript', 'TypeScript (Node.js 24)', programs.typescript),
  codeBlock('python', 'Python 3', programs.python),

  '## Pages of lists',
  'Lists return `data` and `nextCursor`. Send `nextCursor` as `cursor` to get the next page, until it is null. A cursor stays valid while rows are added: no row is skipped or repeated. `limit` sets the rows per page, from 1 to 100. A cursor works only for the list that it is from. Its format can change.',

  '## Idempotent requests',
  'Send a random `Idempotency-Key` with each `POST`. If you do not receive the response, send the same request with the same key again: you get the first answer with `Idempotency-Replayed: true`, and nothing is done twice, even if the server failed in between.',
  table(
    ['You send', 'You get'],
    [
      ['The same key and request within 24 hours', 'The first answer'],
      ['The same key with another request', '422 `idempotency_mismatch`'],
      ['The same key while the first request runs', '409 `idempotency_in_progress`. Try again in a moment'],
      [
        'The same key after an error',
        'A new attempt: errors, also of invalid requests, change nothing and are not stored',
      ],
    ],
  ),
  '`PUT`, `PATCH` and `DELETE` need no key: sending them twice has the same effect as once.',

  '## Understanding results',
  '`listed: true` means that at least one source lists the domain or one of its parent domains as a site that sells links or places harmful ones. A listing is not proof that a particular link was paid for. Check the page before you act.',
  'A listed domain covers all its subdomains: if `example.com` is listed, a check of `blog.example.com` returns `listed: true` and `matchedDomain: "example.com"`. A listed subdomain does not cover its parent domain or other subdomains.',
  '`listed: false` means that no source lists the domain or a parent domain. It is not proof of quality. Public suffixes (`co.uk`) and shared hosts (`wordpress.com`) are never listed as a whole: check the full hostname of the site.',
  'The risk level depends on how many independent sources list the domain. Sources that copy from each other count once. An admin can set another level.',
  table(
    ['Risk level', 'Independent sources'],
    [
      ['`low`', '1'],
      ['`medium`', '2 or 3'],
      ['`high`', '4'],
      ['`very high`', '5 or more'],
    ],
  ),
  'The confidence tells you how strong the evidence is, whatever the risk level. A domain can have a low risk and still be confirmed.',
  table(
    ['Confidence', 'Evidence'],
    [
      ['`confirmed`', 'An offer of a seller or a verified submission, with a price or an evidence URL'],
      ['`probable`', 'Two or more independent sources, or an offer or submission without either'],
      ['`reported`', 'Anything else, such as one public list'],
    ],
  ),

  '## Domain format',
  'Send a domain or the URL of a page. All spellings of a domain return the same `domain`, so you can use it to merge duplicates.',
  table(
    ['You send', 'Checked domain', 'Rule'],
    examples.acceptedDomains.map(({ sent, checked, rule }) => [`\`${sent}\``, `\`${checked}\``, rule]),
  ),
  '### Refused entries',
  'A check of one of these returns 400. In a bulk check, the entry gets an `error` and counts as a request.',
  table(
    ['You send', 'Why it is refused'],
    examples.refusedDomains.map(({ sent, reason }) => [`\`${sent}\``, reason]),
  ),

  '## Retries and best practices',
  'A check changes nothing but your usage, so you can repeat it safely. Repeat other `POST` requests with their `Idempotency-Key`. If the connection fails before you receive the response, the call may still have counted.',
  table(
    ['Status', 'Retry', 'When'],
    [
      ['429', 'Yes', 'After the seconds in `Retry-After`'],
      ['500', 'Once', 'After a few seconds'],
      [
        '503, timeout or lost connection',
        'Yes',
        'After the seconds in `Retry-After` if it is sent, otherwise after 1, 2, 4, 8 and more seconds, up to a minute',
      ],
      ['409 `idempotency_in_progress`', 'Yes', 'After the seconds in `Retry-After`'],
      ['400, 401, 403, 404, other 409, 413, 415, 422, 507', 'No', 'Correct the call first'],
    ],
  ),
  '### Best practices',
  [
    `- **Send batches.** One bulk check of ${maxBulkDomains} domains counts the same as ${maxBulkDomains} single checks and is much faster.`,
    '- **Remove duplicates and refused entries first.** Every entry of a bulk check counts.',
    '- **Store results.** The blacklist is updated about once a month, so there is no need to check a domain every day.',
    '- **Watch `X-RateLimit-Remaining`.** Stop before it reaches 0, or split a bulk check so that it fits.',
  ].join('\n'),

  '## Caching',
  'The response to a check of one domain has an `ETag` that covers everything except `checkedAt`, as have responses with your websites and reports. Store both. When you call again, send the tag in `If-None-Match`: if the result is unchanged, you get 304 without a body.',
  'These responses have `Cache-Control: private, no-cache` and `Vary: X-API-Key`. Your own cache can store them, but must revalidate them before each use. Shared caches must not store them. All other responses are `no-store`.',
  codeBlock('http', 'header with the tag', `If-None-Match: ${headers.ETag.example}`),

  '## Calls from a browser',
  'Any website can call the API and read the `X-RateLimit`, `RateLimit`, `Retry-After` and `ETag` headers (CORS). An internal tool can call it directly from its pages.',
  '> **Never put a key in a public page.** Anyone who opens the page can read the key and use up your requests. Call the API from your server, or let each user enter their own key.',

  '## Spreadsheets and automation',
  'These files are ready to copy. Enter the address of this server and one of your keys. Anyone who can edit the spreadsheet or the workflow can use the key, so create one for it that has only the scope `check`.',
  [
    `- **Google Sheets:** open **Extensions**, **Apps Script**, paste [this script](${origin}/linksieve-sheets.js) and reload the spreadsheet. Open **Linksieve**, **Settings** in its menu, then enter \`=LINKSIEVE(A2:A100)\` in a cell.`,
    `- **Excel and Power BI:** paste [this function](${origin}/linksieve-power-query.txt) into the advanced editor of a blank query, and name the query \`LinksieveCheck\`. Then add the step \`= LinksieveCheck(Source, "Domain")\` to the query of your table.`,
    `- **n8n:** import [a workflow that checks domains](${origin}/linksieve-n8n-check.json) or [a workflow that receives webhooks](${origin}/linksieve-n8n-webhook.json) by its URL.`,
    '- **Zapier:** add the action **Webhooks by Zapier**, **Custom Request** with the method, the URL, the headers and the body of a bulk check.',
  ].join('\n'),

  '## Private checks',
  `You can check a domain without sending it, and without a key. Send the first digits of its SHA-256 hash, and compare the listed hashes in your own program. \`GET ${getRangeInfo.path}\` returns how many digits to send.`,
  `- Reduce the host to lower case and punycode, and remove a leading \`www.\` from it. Take the result and its parent domains down to the registrable domain.
- Compute the SHA-256 hash of each name, and send its first ${prefixDigits.min} to ${prefixDigits.max} hexadecimal digits: \`GET ${getRange.path.replace(':prefix', '{prefix}')}\`.
- Look for the whole hash in \`hashes\`. Of several names that are listed, the one with the highest risk decides. A name whose \`riskLevel\` is null is not listed, and listings of its parents do not apply to it.`,
  codeBlock('json', 'a range (200)', JSON.stringify(examples.rangeResponse, null, 2)),
  `A range has at least ${minRangeHashes} hashes. If fewer listed names match, made-up hashes fill it up. It can be cached for an hour and has an \`ETag\`. Calls from one network are limited to 1,200 per minute.`,

  '## Assistants',
  `AI assistants that support the Model Context Protocol (MCP) can check domains, explain listings and read your reports. The address is \`${origin}/mcp\`. Send a key as \`Authorization: Bearer\` or \`X-API-Key\`. Tools about the blacklist need the scope \`check\`, tools about your websites and reports \`read\`, and tools that change something \`write\`. Assistants that cannot send a key connect with OAuth. The calls share the daily limit of the key: a checked domain counts as one request, and so does every other call of a tool.`,

  '## Versioning',
  'Within `/api/v1`, fields and error codes may be added, so ignore those you do not know. No field is removed and none changes its meaning. Breaking changes get a new path, `/api/v2`, next to this one.',
  'Other paths under `/api` serve the pages of this site and can change at any time. Do not build on them.',
];
