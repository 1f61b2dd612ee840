import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import type { UpdatesRenderer } from '#shared/blacklist/updates.ts';
import { UpdatesUnknown, UpdatesView } from './updates-view.tsx';

// Links need a router, but not the routes of all screens.
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory({ initialEntries: ['/'] }) });

/** Renders the page of updates, without the frame. The server calls it for each request. */
export const renderUpdates: UpdatesRenderer['renderUpdates'] = (updates) =>
  renderToStaticMarkup(
    <RouterContextProvider router={router}>
      {updates ? <UpdatesView updates={updates} /> : <UpdatesUnknown />}
    </RouterContextProvider>,
  );
