import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import type { DomainPageContent, DomainPageRenderer } from '#shared/checks/domain-pages.ts';
import { sessionKey } from '../../accounts/sessions/session.tsx';
import { fullTitle } from '../../platform/use-title.ts';
import { LimitReached, toDescription, toTitle, VerdictView } from './verdict.tsx';

const queryClient = new QueryClient();
queryClient.setQueryData(sessionKey, null);
// Links need a router, but not the routes of all screens.
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory({ initialEntries: ['/'] }) });

/** Renders the page of a domain for a visitor, without the frame. The server calls it for each request. */
export const renderDomainPage: DomainPageRenderer['renderDomainPage'] = (content) => ({
  ...toTexts(content),
  html: renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        {'verdict' in content ? (
          <VerdictView verdict={content.verdict} />
        ) : (
          <LimitReached domain={content.domain} message={content.limitMessage} />
        )}
      </RouterContextProvider>
    </QueryClientProvider>,
  ),
});

function toTexts(content: DomainPageContent): { title: string; description: string } {
  if (!('verdict' in content)) return { title: fullTitle(content.domain), description: content.limitMessage };
  return { title: fullTitle(toTitle(content.verdict)), description: toDescription(content.verdict) };
}
