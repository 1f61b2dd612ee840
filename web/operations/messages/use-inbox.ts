import { useMemo } from 'react';
import { useListUrl } from '../../platform/use-list-url.ts';
import { inboxSearch } from './search.ts';

const closed = { message: undefined };

/** The state of the inbox, which is in the URL. */
export function useInbox() {
  const listUrl = useListUrl(inboxSearch, closed);
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
