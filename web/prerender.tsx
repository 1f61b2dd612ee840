import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { PrerenderedPage } from '#shared/pages.ts';
import { createQueryClient, Providers } from './app/providers.tsx';
import { headOf } from './head.ts';
import { createSite } from './routes.tsx';
import { sessionKey } from './session/session.tsx';

/**
 * A public page as a visitor sees it before any script runs: what belongs into its head, and into its place for the app.
 * @param path undefined: the page at an address where nothing is
 */
export async function prerender(path: PrerenderedPage | undefined): Promise<{ head: string; body: string }> {
  const queryClient = createQueryClient();
  queryClient.setQueryData(sessionKey, null);
  const router = createSite(createMemoryHistory({ initialEntries: [path ?? '/404'] }));
  await router.load();
  const body = renderToString(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  );
  queryClient.clear();
  return { head: headOf(path), body };
}
