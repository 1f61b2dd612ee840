import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { styleNonce } from '../lib/page-state.ts';
import { sessionKey } from '../session/session.tsx';
import { replaceToasts, Toaster } from '../ui/toast.tsx';
import { cssVariables, theme } from './theme.ts';

/** Everything that a screen finds around it: theme, server state, toasts. */
export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Toaster />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The site's cache of server answers. A 401 from any call means that the session has ended, and the guard takes over. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({ onError: endSession }),
    defaultOptions: {
      // Without a connection a call fails and says so: it neither waits in silence, nor happens later when nobody expects it.
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

  function endSession(error: Error): void {
    // A refused sign-in is a 401 too, but there is no session to end then.
    const signedIn = client.getQueryData(sessionKey);
    if (!signedIn || !(error instanceof ApiError) || error.status !== 401) return;
    client.setQueryData(sessionKey, null);
    // After what the screen itself says of the call that failed.
    setTimeout(() =>
      replaceToasts({ title: 'Your session has ended', description: 'Please sign in again.', tone: 'destructive' }),
    );
  }

  return client;
}
