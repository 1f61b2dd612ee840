// The styles that every page needs. Those of dialogs and other screens are in `ui/more-styles.ts`. Only the components
// in use are listed, because Mantine's full style sheet is twice the size. Order matters: base styles come first.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './shell/fonts.css';
import './shell/global.css';
import { hydrate } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { repeatEarlyInput } from './early-input.ts';
import { ApiError } from './platform/api.ts';
import { loadParts } from './platform/load-part.ts';
import { pageData, styleNonce } from './platform/page-state.ts';
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
const router = createSiteRouter(queryClient);
const served = pageData();
// On a slow phone, the page can respond to the user before that.
if (served) setTimeout(() => void adopt(served.queries));
else createRoot(root).render(<App onMount={() => start()} />);

/** Starts the app on the HTML of the server, whose nodes stay. The screen's code is loaded before. */
async function adopt(queries: NonNullable<typeof served>['queries']): Promise<void> {
  for (const { state } of queries.queries) {
    const { apiError } = (state.error ?? {}) as { apiError?: ConstructorParameters<typeof ApiError> };
    if (apiError) state.error = new ApiError(...apiError);
    // The clock of the server can differ.
    if (state.data !== undefined) state.dataUpdatedAt = Date.now();
  }
  hydrate(queryClient, queries);
  // The responses are new. What the screen shows next loads its own.
  const usual = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({
    ...usual,
    queries: { ...usual.queries, refetchOnMount: false, retryOnMount: false },
  });
  // A failed load shows its message when the screen is rendered.
  await router
    .load()
    .then(() => loadParts((root.hasChildNodes() && served?.parts) || []))
    .catch(() => undefined);
  // Without it, the router would expect boundaries that the HTML does not have.
  router.ssr = { manifest: undefined };
  // Parts of the screen are adopted after it.
  const onMount = () => {
    if (window.earlyInput) window.earlyInput.isRouting = true;
    start(() => queryClient.setDefaultOptions(usual));
  };
  const app = <App onMount={onMount} />;
  if (window.earlyInput) window.earlyInput.isStarted = true;
  if (root.hasChildNodes()) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

function App({ onMount }: { onMount(): void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the app is mounted once
  useEffect(() => onMount(), []);
  return (
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  );
}

/** Repeats what the user did before, and marks the page, after the app is shown. */
function start(onReady?: () => void): void {
  repeatEarlyInput();
  markReady(router, queryClient, onReady);
}

function findRoot(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error('The page has no #root element.');
  return found;
}
