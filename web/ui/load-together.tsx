import { Skeleton } from '@mantine/core';
import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useIsServed } from './served.ts';

const firstLoads = { predicate: ({ state }: Query) => state.data === undefined };

interface Props {
  /** Shown until all parts have loaded. */
  skeleton?: ReactNode;
  children: ReactNode;
}

/** Shows parts that load their own data when all of them have loaded. Otherwise, each would move the ones below it. */
export function LoadTogether({ skeleton = <TabSkeleton />, children }: Props) {
  const queries = useQueryClient();
  const isFetching = useIsFetching(firstLoads) > 0;
  // A served page contains what the parts load.
  const [isLoaded, setLoaded] = useState(useIsServed());
  useEffect(() => {
    // In the first effect, `isFetching` does not know yet what the parts have started to load.
    if (!isFetching && queries.isFetching(firstLoads) === 0) setLoaded(true);
  }, [isFetching, queries]);
  return (
    <>
      {!isLoaded && <div data-waiting>{skeleton}</div>}
      <div hidden={!isLoaded}>{children}</div>
    </>
  );
}

/** Shown in place of a tab while it loads. */
export const TabSkeleton = () => <Skeleton height={420} radius="md" aria-label="Loading..." data-waiting />;
