// The styles of the first paint of the home page and the blacklist. The styles of dialogs and other screens are in
// `ui/more-styles.ts`. Only the components in use are listed, because Mantine's full style sheet is twice the size.
// Order matters: base styles come first.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './app/fonts.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createQueryClient, Providers } from './app/providers.tsx';
import { markReady } from './app/ready-marker.ts';
import { styleNonce } from './lib/page-state.ts';
import { tryStorage } from './lib/storage.ts';
import { createSiteRouter } from './routes.tsx';

const root = findRoot();

// The scroll lock of dialogs (react-remove-scroll) reads the nonce for its style element from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

// The stored uid of a payment must be removed on time, whichever screen the user opens.
if (tryStorage(() => localStorage.getItem('external-identity-uid'))) {
  void import('./subscriptions/subscriptions.ts').then(({ resumeUidRemoval }) => resumeUidRemoval());
}

const queryClient = createQueryClient();
const router = createSiteRouter();
// If the server sent a prerendered page, its screen is loaded first and then replaces it in one frame. There is no
// top-level await here: Vite may bundle this module with modules that the screens import, and the bundle would then
// wait for itself.
if (root.hasChildNodes()) {
  // If the early presses module fails to load, the app must still start.
  void Promise.all([import('./app/early-presses.ts'), router.load()]).then(
    ([{ takeOver }]) => takeOver(root, render),
    render,
  );
} else {
  render();
}

function render(): void {
  document.documentElement.removeAttribute('data-session');
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers queryClient={queryClient}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  );
  markReady(router, queryClient);
}

function findRoot(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error('The page has no #root element.');
  return found;
}
