import './app/styles.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { createQueryClient } from './app/query-client.ts';
import { createSite } from './routes.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');

const queryClient = createQueryClient();
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={createSite()} />
    </Providers>
  </StrictMode>,
);
