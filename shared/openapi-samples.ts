/** What stands in an example for the key of whoever reads it. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** A call as an example makes it. */
export interface SampleCall {
  method: 'GET' | 'POST';
  /** With scheme and host, without a query. */
  url: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** The languages that examples are written in, by the names that they have in an OpenAPI document. */
export const sampleLanguages = [
  { lang: 'Shell', label: 'curl', write: curlSample },
  { lang: 'JavaScript', label: 'JavaScript', write: javascriptSample },
  { lang: 'Python', label: 'Python', write: pythonSample },
] as const;

/** For a shell of Unix. */
export function curlSample({ method, url, query, body }: SampleCall): string {
  const lines = [`curl '${addressOf(url, query)}'`, `--header 'X-API-Key: ${keyPlaceholder}'`];
  if (method !== 'GET' && body === undefined) lines.push(`--request ${method}`);
  if (body !== undefined) lines.push("--header 'Content-Type: application/json'", `--data '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}

/** For Node.js 18 or later, as a module; also for Deno and Bun. */
function javascriptSample({ method, url, query, body }: SampleCall): string {
  const headers = [`'X-API-Key': '${keyPlaceholder}'`];
  if (body !== undefined) headers.push("'Content-Type': 'application/json'");
  return [
    `const url = new URL('${url}');`,
    ...Object.entries(query ?? {}).map(([name, value]) => `url.searchParams.set('${name}', '${value}');`),
    '',
    'const response = await fetch(url, {',
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body)}),`]),
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(answer.error);',
    'console.log(answer);',
  ].join('\n');
}

/** For Python 3, with nothing but its own library. */
function pythonSample({ method, url, query, body }: SampleCall): string {
  const headers = [`"X-API-Key": "${keyPlaceholder}"`];
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  return [
    'import json',
    'import urllib.error',
    ...(query ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...(query ? [`query = urllib.parse.urlencode(${spaced(query)})`] : []),
    'request = urllib.request.Request(',
    query ? `    "${url}?" + query,` : `    "${url}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={${headers.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${spaced(body)}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(json.load(response))',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(json.load(error)["error"])',
  ].join('\n');
}

const addressOf = (url: string, query: Record<string, string> | undefined) =>
  query
    ? `${url}?${Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&')}`
    : url;

/** As people write it in JavaScript: names without quotes. */
const literal = (value: unknown) =>
  spaced(value)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replace(/^\{(.*)\}$/, '{ $1 }');

/** JSON with a space after each comma and colon, as both languages are written. The examples hold no such sign within a text. */
const spaced = (value: unknown) => JSON.stringify(value).replaceAll(/[,:](?=["[])/g, '$& ');
