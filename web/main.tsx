// The styles that the home page and the blacklist paint first; `ui/more-styles.ts` has those of dialogs and further screens.
// Only components in use are listed: the kit's whole sheet is twice the size. Order matters: what others build on comes first.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createQueryClient, Providers } from './app/providers.tsx';
import { markReady } from './app/ready-marker.ts';
import { styleNonce } from './lib/page-state.ts';
import { tryStorage } from './lib/storage.ts';
import { createSite } from './routes.tsx';

const place = placeOfApp();

// The dialogs' scroll lock (react-remove-scroll) takes the nonce of its style element from this place.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

// Whom a payment was for is forgotten in time on whatever screen the person goes on.
if (tryStorage(() => localStorage.getItem('external-identity-uid'))) {
  void import('./subscriptions/subscriptions.ts').then(({ forgetUidInTime }) => forgetUidInTime());
}

const queryClient = createQueryClient();
const router = createSite();
// A public page stands there already: its screen is loaded first, then takes its place in one frame. Not a top-level await: the
// builder may put this module into one file with what the screens import, and that file would wait for itself.
if (place.hasChildNodes()) {
  // Without the part that repeats early presses the page still needs its app.
  void Promise.all([import('./app/early-presses.ts'), router.load()]).then(
    ([{ takeOver }]) => takeOver(place, draw),
    draw,
  );
} else {
  draw();
}

function draw(): void {
  window.earlyPresses?.stop();
  document.documentElement.removeAttribute('data-session');
  flushSync(() =>
    createRoot(place).render(
      <StrictMode>
        <Providers queryClient={queryClient}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  );
  markReady(router, queryClient);
}

function placeOfApp(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error('The page has no place for the app.');
  return found;
}
