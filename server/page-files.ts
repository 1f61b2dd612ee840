import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicPages } from '#shared/pages.ts';
import type { BuiltFiles, Display, PageRenderer, PageResponse, RenderedPage } from '#shared/rendered-page.ts';

/** The values that the Content-Security-Policy requires of inline styles and scripts. */
interface Nonces {
  style: string;
  script: string;
}

/**
 * Lets browsers fetch a public page when a link to it is hovered for a moment
 * (https://wicg.github.io/nav-speculation/speculation-rules.html).
 */
const prefetchRules = JSON.stringify({
  prefetch: [{ where: { href_matches: publicPages }, eagerness: 'moderate' }],
});

/**
 * Returns a function that puts a rendered page into the HTML of the app, with the styles that the page uses. Scripts
 * are in a template. public/first-paint.js loads it after the first paint, or when the user needs it in a document.
 */
export function createAssembler({ template, styles, entry, imports, components }: BuiltFiles) {
  const [beforeHead = '', beforeStyles = '', beforeBody = '', end = ''] = template.split(/<!--(?:head|styles|body)-->/);
  return (page: RenderedPage, { isDocument, nonces }: { isDocument: boolean; nonces: Nonces }): string => {
    const used = new Set<string>();
    for (const [, names = ''] of page.body.matchAll(/\sclass="([^"]*)"/g)) {
      for (const name of names.split(' ')) used.add(name);
    }
    const setNonces = (html: string) =>
      html.replaceAll('__STYLE_NONCE__', nonces.style).replaceAll('__SCRIPT_NONCE__', nonces.script);
    const sheets = styles.filter(({ classes }) => classes.some((name) => used.has(name)));
    // The app does not load a sheet that has a link.
    const links = sheets.map(({ file }) => `<link rel="stylesheet" href="/${file}" disabled />`);
    const css = sheets.map((sheet) => sheet.css).join('');
    return [
      setNonces(beforeHead),
      page.head,
      setNonces(beforeStyles),
      `<style nonce="${nonces.style}">${css}</style>`,
      ...links,
      setNonces(beforeBody),
      `<div id="root">${page.body}</div>${formatScripts(page, isDocument)}`,
      isDocument ? `<script type="speculationrules" nonce="${nonces.script}">${prefetchRules}</script>` : '',
      end,
    ].join('');
  };

  function formatScripts({ data, components: names }: RenderedPage, isDocument: boolean): string {
    const files = new Set<string>();
    const add = (file: string | undefined) => {
      if (file === undefined || files.has(file)) return;
      files.add(file);
      imports[file]?.forEach(add);
    };
    for (const file of [entry, ...names.map((name) => components[name])]) add(file);
    const preloads = [...files].map((file) => `<link rel="modulepreload" href="/${file}" />`).join('');
    return `<script type="application/json" id="page-data">${data}</script><template id="app"${isDocument ? ' data-document' : ''}>${preloads}<script type="module" src="/${entry}"></script></template>`;
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
      const response = await app
        .inject({
          url,
          headers: { ...headers, 'sec-fetch-site': 'same-origin' },
          remoteAddress: request.raw.socket.remoteAddress ?? '127.0.0.1',
        })
        .catch((error: unknown) => {
          // The page shows that the server is restarting, which is the usual reason.
          request.log.error({ err: error, call: url }, 'a call of a page had no response');
          throw error;
        });
      calls.retryAfter = response.headers['retry-after']?.toString() ?? calls.retryAfter;
      return { status: response.statusCode, statusText: response.statusMessage, text: async () => response.body };
    },
  };
  return calls;
}

const maxWidth = 10_000;

/** What the cookie of public/first-paint.js says about the browser: `Europe/Berlin,1440,1425`. */
export function readDisplay(request: FastifyRequest): Display {
  const [timeZone = '', ...widths] = (request.cookies.display ?? '').split(',');
  const [width = guessWidth(request), contentWidth = width] = widths
    .filter((text) => /^\d{2,5}$/.test(text))
    .map((text) => Math.min(Number(text), maxWidth));
  return { timeZone: toTimeZone(timeZone), width, contentWidth };
}

/** Browsers on phones say so (https://wicg.github.io/ua-client-hints/#sec-ch-ua-mobile). */
const guessWidth = ({ headers }: FastifyRequest) =>
  headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '') ? 390 : 1440;

const timeZones = new Set(Intl.supportedValuesOf('timeZone'));

/** Returns the usual name of a time zone. There are few, because `ui/date-text.tsx` keeps formats for each. */
function toTimeZone(name: string): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    return timeZones.has(timeZone) ? timeZone : 'UTC';
  } catch {
    return 'UTC';
  }
}
