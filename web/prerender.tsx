import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { User } from '#shared/accounts/accounts.ts';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { FramedPage, PrerenderedPage } from '#shared/pages.ts';
import { sessionKey } from './accounts/sessions/session.tsx';
import { buildHead } from './head.ts';
import { createSiteRouter } from './routes.tsx';
import { createQueryClient, Providers } from './shell/providers.tsx';

interface Prerendered {
  /** The HTML of the head. */
  head: string;
  /** The HTML of the root element. */
  body: string;
}

/**
 * Renders a public page for a visitor.
 * @param path undefined for the not-found page; 'domain' for the frame of the pages of domains
 */
export const prerender = (path: PrerenderedPage | 'domain' | undefined): Promise<Prerendered> => render(path, null);

/** Renders the frame of a screen for signed-in users. The server fills in the initials of the user. */
export async function prerenderFrame(path: FramedPage, isAdmin: boolean): Promise<Prerendered> {
  const { head, body } = await render(path, { ...placeholderUser, isAdmin });
  return { head, body: body.replaceAll(initials, '__USER_INITIALS__') };
}

async function render(
  path: PrerenderedPage | FramedPage | 'domain' | undefined,
  user: User | null,
): Promise<Prerendered> {
  const queryClient = createQueryClient();
  queryClient.setQueryData(sessionKey, user);
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

function toInitialPath(path: PrerenderedPage | FramedPage | 'domain' | undefined): string {
  return path === 'domain' ? toDomainPage('any.example') : (path ?? '/404');
}

/** A character of the private use area, which no text of the app contains. */
const initials = '\uE000';

const placeholderUser: User = {
  id: 0,
  email: '',
  isEmailConfirmed: true,
  username: '',
  displayName: initials,
  photoURL: null,
  firebaseUid: null,
  isAdmin: false,
  searchCount: 0,
  searchLimit: null,
  searchesUsed: 0,
  subscriptionTier: '',
  subscriptionStatus: 'active',
};
