import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Tells whether the person is still on the screen when an answer comes: whoever has left it is not led anywhere. While the next
 * screen is loaded this one still stands, but the address is no longer its own.
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
