import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { toDomainPage } from '#shared/domain-page-path.ts';
import type { PrerenderedPage } from '#shared/pages.ts';
import { createQueryClient, Providers } from './app/providers.tsx';
import { buildHead } from './head.ts';
import { createSiteRouter } from './routes.tsx';
import { sessionKey } from './session/session.tsx';

/**
 * Renders a public page for a visitor. Returns the HTML of its head and of its root element.
 * @param path undefined for the not-found page; 'domain' for the frame of the pages of domains
 */
export async function prerender(path: PrerenderedPage | 'domain' | undefined): Promise<{ head: string; body: string }> {
  const queryClient = createQueryClient();
  queryClient.setQueryData(sessionKey, null);
  const router = createSiteRouter(createMemoryHistory({ initialEntries: [toInitialPath(path)] }));
  await router.load();
  const body = renderToString(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  );
  queryClient.clear();
  return { head: buildHead(path), body };
}

function toInitialPath(path: PrerenderedPage | 'domain' | undefined): string {
  return path === 'domain' ? toDomainPage('any.example') : (path ?? '/404');
}
