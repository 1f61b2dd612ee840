import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useMemo, useRef } from 'react';
import { areSingleKeysEnabled, isSingleKey, isTyping, useKeydown } from '../lib/keys.ts';
import { useListUrl } from '../lib/use-list-url.ts';

const route = getRouteApi('/inbox-only/admin/inbox');
const closed = { message: undefined };

/** The address of the inbox, read and changed. */
export function useInbox() {
  const address = useListUrl(route.useSearch(), closed);
  return useMemo(
    () => ({
      ...address,
      open: (message: number) => address.openDialog({ message }),
      step: (message: number) => address.switchDialog({ message }),
    }),
    [address],
  );
}

export type Inbox = ReturnType<typeof useInbox>;

/** Lets J and K move the focus down and up the rows: what opens each is marked `data-row`. */
export function useRowSteps(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useKeydown((event) => {
    const step = stepOf(event);
    if (step === 0 || !isSingleKey(event)) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const row = rows.find((element) => element === document.activeElement);
    const next = row ? rows[rows.indexOf(row) + step] : rows[0];
    next?.focus();
  });
  return list;
}

/** Lets J and K go to the next and the previous message while one is open, unless the person is typing. */
export function useDialogSteps(isActive: boolean, onStep: (step: 1 | -1) => void): void {
  useKeydown((event) => {
    const step = isActive ? stepOf(event) : 0;
    if (step === 0 || event.repeat || event.defaultPrevented || !areSingleKeysEnabled() || isTyping(event.target))
      return;
    onStep(step);
  });
}

function stepOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): 1 | -1 | 0 {
  if (ctrlKey || metaKey || altKey) return 0;
  return key === 'j' ? 1 : key === 'k' ? -1 : 0;
}
