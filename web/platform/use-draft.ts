import { useCallback, useEffect, useRef, useState } from 'react';

/** How long a filter must stay unchanged before it applies, in milliseconds. */
export const applyDelayMs = 500;

interface Draft<T> {
  value: T;
  change(next: T): void;
  /** Applies `next`, or else the current value, immediately. */
  apply(next?: T): void;
}

/** A value that the user edits. Applies after `applyDelayMs` without a change; follows changes of `current`. */
export function useDraft<T>(current: T, onApply: (next: T) => void): Draft<T> {
  const [value, setValue] = useState(current);
  const applied = useRef(serialize(current));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ value, current, onApply });
  latest.current = { value, current, onApply };

  const currentKey = serialize(current);
  useEffect(() => {
    if (currentKey === applied.current) return;
    applied.current = currentKey;
    clearTimeout(timer.current);
    setValue(latest.current.current);
  }, [currentKey]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = useCallback((next?: T) => {
    clearTimeout(timer.current);
    const final = next === undefined ? latest.current.value : next;
    setValue(final);
    if (serialize(final) === applied.current) return;
    applied.current = serialize(final);
    latest.current.onApply(final);
  }, []);

  const change = useCallback(
    (next: T) => {
      setValue(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => apply(next), applyDelayMs);
    },
    [apply],
  );

  return { value, change, apply };
}

function serialize(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
