import { useRef } from 'react';

/**
 * A mutation's `mutate` that does nothing while an answer is on its way: also for the second press of a double click, which comes
 * before the screen is drawn anew.
 */
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
