import { Badge, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/states.tsx';
import { AccountSection } from './account-section.tsx';
import { type Ending, EndSessions, sessionListId } from './end-sessions.tsx';
import { sessionsQuery } from './queries.ts';
import { SessionRow } from './session-row.tsx';
import classes from './sessions.module.css';

/** Where the person is signed in, and the ways to end that. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Ending>();
  const { data } = sessions;
  const others = data?.filter(({ isThisDevice }) => !isThisDevice).length ?? 0;
  return (
    <AccountSection
      title="Where you are signed in"
      description="A session ends 7 days after its last use, and 30 days after signing in at the latest."
      aside={data && data.length > 1 && <Badge variant="light">{data.length}</Badge>}
    >
      {sessions.isPending && <Skeleton height={76} aria-hidden />}
      {sessions.isError && !data && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {data && (
        <ul className={classes.list} aria-label="Sessions" id={sessionListId}>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setEnding({ what: 'one', session })} />
          ))}
        </ul>
      )}
      <Group gap="xs" mt="md">
        {others > 0 && (
          <Button variant="default" onClick={() => setEnding({ what: 'others' })}>
            Sign out everywhere else
          </Button>
        )}
        <Button variant="default" onClick={() => setEnding({ what: 'all' })}>
          Sign out everywhere
        </Button>
      </Group>
      <EndSessions ending={ending} onClose={() => setEnding(undefined)} />
    </AccountSection>
  );
}
