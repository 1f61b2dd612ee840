import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltFiles, Device, PageRenderer, PageResponse, RenderedPage } from '#shared/rendered-page.ts';

/**
 * Returns a function that puts a rendered page into the HTML of the app, with the styles that the page uses. Scripts
 * are in a template, which public/first-paint.js loads after the first paint; a document has none.
 */
export function createAssembler({ template, styles, app, screens }: BuiltFiles) {
  const [beforeHead = '', beforeStyles = '', beforeBody = '', end = ''] = template.split(/<!--(?:head|styles|body)-->/);
  const sheets = styles.map(({ file, classes }) => ({ link: `<link rel="stylesheet" href="/${file}" />`, classes }));
  return (page: RenderedPage, { isDocument, nonce }: { isDocument: boolean; nonce: string }): string => {
    const used = new Set<string>();
    for (const [, names = ''] of page.body.matchAll(/\sclass="([^"]*)"/g)) {
      for (const name of names.split(' ')) used.add(name);
    }
    const links = sheets.filter(({ classes }) => classes.some((name) => used.has(name))).map(({ link }) => link);
    const scripts = isDocument ? '' : formatScripts(page);
    return [
      beforeHead.replace('__STYLE_NONCE__', nonce),
      page.head,
      beforeStyles,
      links.join(''),
      beforeBody,
      `<div id="root">${page.body}</div>${scripts}`,
      end,
    ].join('');
  };

  function formatScripts({ data, screens: names }: RenderedPage): string {
    const files = new Set([...app.imports, ...names.flatMap((name) => screens[name] ?? [])]);
    const preloads = [...files].map((file) => `<link rel="modulepreload" href="/${file}" />`).join('');
    return `<script type="application/json" id="page-data">${data}</script><template id="app">${preloads}<script type="module" src="/${app.entry}"></script></template>`;
  }
}

/**
 * Loads the module of the built web app that renders pages in the background, because React takes so long to load that
 * other requests would notice. @returns a function that waits for the module, and repeats a failed load
 */
export function createRendererLoader(path: string): () => Promise<PageRenderer> {
  let loading: Promise<PageRenderer> | undefined;
  const load = () => {
    loading ??= import(pathToFileURL(path).href).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading as Promise<PageRenderer>;
  };
  // The request that repeats a failed load reports its error.
  load().catch(() => undefined);
  return load;
}

/** Headers of the page's request that its calls have too: who asks, and through which proxies. */
const passedHeaders = ['cookie', 'host', 'user-agent', 'accept-language'];

/** Calls the API within this process, as the browser of the page's request would. */
export function createCalls(app: FastifyInstance, request: FastifyRequest) {
  const names = Object.keys(request.headers).filter(
    (name) => passedHeaders.includes(name) || /^(?:x-forwarded-|forwarded$|x-real-ip$)/.test(name),
  );
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]]));
  const calls = {
    /** When a refused call may be repeated: the last Retry-After header. */
    retryAfter: undefined as string | undefined,
    async fetch(url: string): Promise<PageResponse> {
      const response = await app.inject({
        url,
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
        remoteAddress: request.raw.socket.remoteAddress ?? '127.0.0.1',
      });
      calls.retryAfter = response.headers['retry-after']?.toString() ?? calls.retryAfter;
      return { status: response.statusCode, statusText: response.statusMessage, text: async () => response.body };
    },
  };
  return calls;
}

const maxWidth = 10_000;

/** What the cookie of public/first-paint.js says about the browser: `Europe/Berlin,1440,1425`. */
export function readDevice(request: FastifyRequest): Device {
  const [timeZone = '', ...widths] = (request.cookies.device ?? '').split(',');
  const [width = guessWidth(request), contentWidth = width] = widths
    .filter((text) => /^\d{2,5}$/.test(text))
    .map((text) => Math.min(Number(text), maxWidth));
  return { timeZone: isTimeZone(timeZone) ? timeZone : 'UTC', width, contentWidth };
}

/** Browsers on phones say so (https://wicg.github.io/ua-client-hints/#sec-ch-ua-mobile). */
const guessWidth = ({ headers }: FastifyRequest) =>
  headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '') ? 390 : 1440;

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z0-9_+/-]{1,50}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
