import { useMemo } from 'react';
import { useListAddress } from '../lib/use-list-address.ts';
import { inboxSearch } from './search.ts';

const closed = { message: undefined };

/** The address of the inbox, read and changed. */
export function useInbox() {
  const address = useListAddress(inboxSearch, closed);
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
