import { useCallback, useEffect, useRef, useState } from 'react';

/** Milliseconds without a change after which a filter applies. */
export const settleDelay = 500;

interface Draft<T> {
  value: T;
  change(next: T): void;
  /** Applies at once: the given value, else what stands there. */
  apply(next?: T): void;
}

/** What a person is typing: applied after `settleDelay` without a change; follows `current` when that changes elsewhere. */
export function useDraft<T>(current: T, onApply: (next: T) => void): Draft<T> {
  const [value, setValue] = useState(current);
  const applied = useRef(keyOf(current));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ value, current, onApply });
  latest.current = { value, current, onApply };

  const currentKey = keyOf(current);
  useEffect(() => {
    if (currentKey === applied.current) return;
    applied.current = currentKey;
    clearTimeout(timer.current);
    setValue(latest.current.current);
  }, [currentKey]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = useCallback((next?: T) => {
    clearTimeout(timer.current);
    const settled = next === undefined ? latest.current.value : next;
    setValue(settled);
    if (keyOf(settled) === applied.current) return;
    applied.current = keyOf(settled);
    latest.current.onApply(settled);
  }, []);

  const change = useCallback(
    (next: T) => {
      setValue(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => apply(next), settleDelay);
    },
    [apply],
  );

  return { value, change, apply };
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
