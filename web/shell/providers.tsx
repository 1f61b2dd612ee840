import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core';
import { MutationCache, onlineManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isEndingSession, sessionKey } from '../accounts/sessions/session.tsx';
import { ApiError } from '../platform/api.ts';
import { watchConnection } from '../platform/connection.ts';
import { forgetEarly, needsRequest } from '../platform/endpoint-query.ts';
import { styleNonce } from '../platform/page-state.ts';
import { replaceToasts, Toaster } from '../ui/toast.tsx';
import { cssVariables, theme } from './theme.ts';

/** The providers around every screen: theme, query cache and toasts. */
export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      // The build writes them into a file. Vite's development server does not have it.
      withCssVariables={import.meta.env.DEV}
      withGlobalClasses={false}
      // public/first-paint.js sets the theme.
      getRootElement={() => undefined}
      colorSchemeManager={noManager}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Toaster />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const noManager: MantineColorSchemeManager = {
  get: () => 'light',
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

/** Creates the cache of server responses. A 401 from any call ends the session, so that the guard redirects. */
export function createQueryClient(): QueryClient {
  watchConnection();
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({ onError: endSession }),
    defaultOptions: {
      // Without a connection, queries keep their data and run when the connection is back.
      queries: {
        retry: shouldRetry,
        retryDelay: 0,
        // A served page shows the error of its request.
        retryOnMount: typeof document !== 'undefined',
        refetchOnMount: needsRequest,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
      // Changes fail immediately. The default would make them later, when the user does not expect it.
      mutations: { networkMode: 'always', retry: false },
    },
  });

  client.getQueryCache().subscribe(({ type, query }) => type === 'observerRemoved' && forgetEarly(query));

  function endSession(error: Error): void {
    // A failed sign-in is a 401 too, but then there is no session to end.
    const signedIn = client.getQueryData(sessionKey);
    if (!signedIn || isEndingSession(client) || !(error instanceof ApiError) || error.status !== 401) return;
    client.setQueryData(sessionKey, null);
    // Deferred, so that it replaces the screen's own message about the failed call.
    setTimeout(() =>
      replaceToasts({ title: 'Your session has ended', description: 'Please sign in again.', tone: 'destructive' }),
    );
  }

  return client;
}

/**
 * Whether to repeat a query that got no response: once if the server is reachable, and otherwise when the connection is
 * back. The connection was checked before the query failed.
 */
const shouldRetry = (failures: number, error: Error) =>
  error instanceof ApiError && error.code === 'unreachable' && (failures < 1 || !onlineManager.isOnline());
