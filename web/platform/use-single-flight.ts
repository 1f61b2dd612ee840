import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Wraps a mutation's `mutate` so that calls are ignored while one is pending. The pending state of the mutation is not
 * enough: the second click of a double click comes before the next render.
 */
export function useSingleFlight<T>(
  mutate: (variables: T, options: { onSettled(): void }) => void,
): (variables: T) => void {
  const isPending = useRef(false);
  return (variables) => {
    if (isPending.current) return;
    isPending.current = true;
    mutate(variables, {
      onSettled: () => {
        isPending.current = false;
      },
    });
  };
}

/**
 * Returns a function that says whether the user is still on this screen, to check before a redirect when a response
 * arrives. While the next screen loads, this one is still mounted, so the function also compares the URL.
 */
export function useIsCurrentScreen(): () => boolean {
  const { history } = useRouter();
  const shownAt = useRef<string>(undefined);
  useEffect(() => {
    shownAt.current = history.location.pathname;
    return () => {
      shownAt.current = undefined;
    };
  }, [history]);
  return () => shownAt.current === history.location.pathname;
}
