import './app/styles.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { createQueryClient } from './app/query-client.ts';
import { styleNonce } from './lib/style-nonce.ts';
import { createSite } from './routes.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');

// The dialogs' scroll lock (react-remove-scroll) takes the nonce of its style element from this place.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const queryClient = createQueryClient();
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={createSite()} />
    </Providers>
  </StrictMode>,
);
