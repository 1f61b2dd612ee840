import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** A mutation's `mutate` that runs once at a time: the second press of a double click comes before the next render. */
export function useOnce<T>(mutate: (variables: T, options: { onSettled(): void }) => void): (variables: T) => void {
  const isUnderWay = useRef(false);
  return (variables) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(variables, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  };
}

/**
 * Whether the person is still on this screen when a response arrives, so that it redirects nobody who has left. While the next
 * screen is being loaded this one is still drawn, but the address has changed.
 */
export function useIsShown(): () => boolean {
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
