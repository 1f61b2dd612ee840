import { AsyncLocalStorage } from 'node:async_hooks';
import { text } from 'node:stream/consumers';
import { MantineProvider } from '@mantine/core';
import { dehydrate, type Query, type QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { publicPages } from '#shared/pages.ts';
import type { PageInput, PageRenderer, RenderedPage } from '#shared/rendered-page.ts';
import { sessionKey, sessionQuery } from './accounts/sessions/session.tsx';
import { buildHead, descriptions } from './head.ts';
import { publicPageTitles } from './page-titles.ts';
import { paths } from './paths.ts';
import { ApiError } from './platform/api.ts';
import { type PageData, type PageDescription, type ServedRequest, serveRequests } from './platform/page-state.ts';
import { createSiteRouter } from './routes.tsx';
import { createQueryClient, Providers } from './shell/providers.tsx';
import { cssVariables, theme } from './shell/theme.ts';

/** A response can show a part that needs another one. No screen has a longer chain. */
const maxLoads = 5;

const requests = new AsyncLocalStorage<ServedRequest>();
serveRequests(() => requests.getStore());

export const pages: PageRenderer['pages'] = publicPages.map((path) => ({
  path,
  title: publicPageTitles[path],
  description: descriptions[path],
}));

/** Renders a page with the responses of the API that it shows. The server calls it for each request. */
export function renderPage(request: PageInput): Promise<RenderedPage> {
  const page: PageDescription = {};
  const parts = new Set<string>();
  return requests.run({ ...request, page, parts }, async () => {
    const queryClient = createQueryClient();
    if (request.hasSession) await queryClient.prefetchQuery(sessionQuery);
    else queryClient.setQueryData(sessionKey, null);
    const router = createSiteRouter(queryClient, createMemoryHistory({ initialEntries: [request.url] }));
    await router.load();
    const screen = (
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    );
    let body = '';
    let failure: unknown;
    const [path] = request.url.split('?');
    try {
      let loads = 0;
      await loadMissing(queryClient);
      do body = await toHtml(screen);
      while (page.redirect === undefined && loads++ < maxLoads && (await loadMissing(queryClient)));
    } catch (error) {
      // The app renders the page in the browser.
      [body, failure] = ['', error];
    }
    const { state, timeZone, width, contentWidth } = request;
    const queries = dehydrate(queryClient, { shouldDehydrateQuery: ({ state }) => state.status !== 'pending' });
    const data: PageData = { state, timeZone, width, contentWidth, parts: [...parts], queries };
    const isVisitor = queryClient.getQueryData(sessionKey) === null;
    queryClient.clear();
    return {
      status: page.status ?? 200,
      redirect: page.redirect,
      isIndexed: page.isIndexed,
      isVisitor,
      head: buildHead(request.url, page, state.origin),
      body: path === paths.apiDocs ? body.replaceAll('__ORIGIN__', state.origin) : body,
      data: JSON.stringify(data, writeError).replaceAll('<', '\\u003c'),
      components: data.parts,
      failure,
    };
  });
}

async function toHtml(screen: React.ReactNode): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(screen, {
    // Suspense boundaries are written where they are, without scripts that would move them there.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  const html = await text(prelude);
  if (failures.length > 0) throw failures[0];
  return html;
}

/** Loads what a component has asked for, and remembers errors. @returns whether there was anything to load */
async function loadMissing(queryClient: QueryClient): Promise<boolean> {
  const missing = queryClient.getQueryCache().getAll().filter(isMissing);
  await Promise.allSettled(missing.map((query) => query.fetch()));
  return missing.length > 0;
}

function isMissing({ state, options, meta }: Query): boolean {
  const { enabled } = options as { enabled?: unknown };
  return state.status === 'pending' && options.queryFn !== undefined && enabled !== false && !meta?.isLocal;
}

/** Errors have no JSON. `web/main.tsx` reads this one. */
const writeError = (_: string, value: unknown) =>
  value instanceof ApiError ? { apiError: [value.status, value.code, value.message, value.body] } : value;

/** Returns the variables of the theme, which the build writes into a file. */
export function renderThemeStyles(): string {
  const html = renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} withCssVariables>
      <span />
    </MantineProvider>,
  );
  return /<style data-mantine-styles[^>]*>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
}
