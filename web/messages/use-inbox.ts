import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { isSingleKey, singleKeysAreOn } from '../lib/keys.ts';
import { useListAddress } from '../lib/use-list-address.ts';

const route = getRouteApi('/inbox-only/admin/inbox');
const closed = { message: undefined };

/** The address of the inbox, read and changed. */
export function useInbox() {
  const address = useListAddress(route.useSearch(), closed);
  return useMemo(
    () => ({
      ...address,
      open: (message: number) => address.openDialog({ message }),
      step: (message: number) => address.stepDialog({ message }),
    }),
    [address],
  );
}

export type Inbox = ReturnType<typeof useInbox>;

/** Lets J and K move the focus down and up the rows: what opens each is marked `data-row`. */
export function useRowSteps(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = stepOf(event);
      if (step === 0 || !isSingleKey(event)) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const row = rows.find((element) => element === document.activeElement);
      const next = row ? rows[rows.indexOf(row) + step] : rows[0];
      next?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return list;
}

/** Lets J and K go to the next and the previous message while one is open, unless the person is typing. */
export function useDialogSteps(isActive: boolean, onStep: (step: 1 | -1) => void): void {
  const latest = useRef(onStep);
  latest.current = onStep;
  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: KeyboardEvent) => {
      const step = stepOf(event);
      if (step === 0 || event.repeat || event.defaultPrevented || !singleKeysAreOn()) return;
      if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
      latest.current(step);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);
}

function stepOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): 1 | -1 | 0 {
  if (ctrlKey || metaKey || altKey) return 0;
  return key === 'j' ? 1 : key === 'k' ? -1 : 0;
}
