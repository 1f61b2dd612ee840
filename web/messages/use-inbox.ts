import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
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
