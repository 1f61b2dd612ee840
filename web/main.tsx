// The styles of the first paint of the home page and the blacklist. The styles of dialogs and other screens are in
// `ui/more-styles.ts`. Only the components in use are listed, because Mantine's full style sheet is twice the size.
// Order matters: base styles come first.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './shell/fonts.css';
import './shell/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './platform/page-state.ts';
import { tryStorage } from './platform/storage.ts';
import { createSiteRouter } from './routes.tsx';
import { createQueryClient, Providers } from './shell/providers.tsx';
import { markReady } from './shell/ready-marker.ts';

const root = findRoot();

// The scroll lock of dialogs (react-remove-scroll) reads the nonce for its style element from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

// The stored uid of a payment must be removed on time, whichever screen the user opens.
if (tryStorage(() => localStorage.getItem('external-identity-uid'))) {
  void import('./accounts/subscriptions/subscriptions.ts').then(({ resumeUidRemoval }) => resumeUidRemoval());
}

const queryClient = createQueryClient();
const router = createSiteRouter();
// There is no top-level await here: Vite may bundle this module with modules that the screens import, and the bundle
// would then wait for itself.
if (root.hasChildNodes()) void replacePrerendered();
else renderAtOnce();

/** Loads the screen of a prerendered page, and then replaces the page in one frame. The app starts whatever fails. */
async function replacePrerendered(): Promise<void> {
  const load = () => (window.earlyPresses?.isUsed ? import('./shell/early-presses.ts') : undefined);
  const early = await Promise.all([load(), router.load()])
    .then(async () => (!window.earlyPresses?.isUsed && (await renderInSlices()) ? 'done' : await load()))
    // Without what it should have loaded, the app still starts.
    .catch(() => undefined);
  if (early === 'done') return;
  if (early) await early.takeOver(root, renderAtOnce);
  else renderAtOnce();
}

function renderAtOnce(): void {
  flushSync(() => createRoot(root).render(<App />));
  start();
}

/**
 * Renders the app in short tasks into a new element, which then replaces the page. Returns false if the user has used
 * the page meanwhile: what they pressed would be lost with it.
 */
function renderInSlices(): Promise<boolean> {
  return new Promise((resolve) => {
    const next = root.cloneNode() as HTMLElement;
    const app = createRoot(next);
    const early = window.earlyPresses;
    const replace = () => {
      if (early) early.onFirstUse = undefined;
      root.replaceWith(next);
      start();
      resolve(true);
    };
    if (early) {
      early.onFirstUse = () => {
        app.unmount();
        resolve(false);
      };
    }
    startTransition(() => app.render(<App onMount={replace} />));
  });
}

function App({ onMount }: { onMount?: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the app is mounted once
  useLayoutEffect(() => onMount?.(), []);
  return (
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  );
}

/** Marks the page, after the app is shown. */
function start(): void {
  document.documentElement.removeAttribute('data-session');
  markReady(router, queryClient);
}

function findRoot(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error('The page has no #root element.');
  return found;
}
