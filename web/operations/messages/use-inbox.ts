import { type RefObject, useMemo, useRef } from 'react';
import { isSingleKey, useKeydown } from '../../platform/keys.ts';
import { stepOf } from '../../platform/step-keys.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { useScreenSearch } from '../../platform/use-screen-search.ts';
import { inboxSearch } from './search.ts';

const closed = { message: undefined };

/** The state of the inbox, which is in the URL. */
export function useInbox() {
  const listUrl = useListUrl(useScreenSearch(inboxSearch), closed);
  return useMemo(
    () => ({
      ...listUrl,
      open: (message: number) => listUrl.openDialog({ message }),
      step: (message: number) => listUrl.switchDialog({ message }),
    }),
    [listUrl],
  );
}

export type Inbox = ReturnType<typeof useInbox>;

/** J and K move the focus to the next and previous row, which are marked `data-row`. */
export function useRowShortcuts(): RefObject<HTMLDivElement | null> {
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
