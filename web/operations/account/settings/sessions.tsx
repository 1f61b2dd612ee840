import { Badge } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { endAllSessions, endOtherSessions, endSession, type Session } from '#shared/accounts/sessions.ts';
import { sessionsQuery } from '../../../accounts/sessions/queries.ts';
import { toastSignedOut, useEndSession } from '../../../accounts/sessions/session.tsx';
import { ApiError, call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Row, RowList } from '../../../ui/row-list.tsx';
import { Actions, Section } from '../../../ui/section.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import styles from './sessions.module.css';

/** The list gets the focus after the row of an ended session is removed. */
const listId = 'session-list';

/** The sessions to end. */
type SessionsToEnd = Session | 'others' | 'all';

/** The user's sessions, with buttons to end them. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const [target, setTarget] = useState<SessionsToEnd>();
  const { data } = sessions;
  return (
    <Section
      title="Where you are signed in"
      description="A session ends after 7 days without use, and no later than 30 days after signing in."
      aside={data && data.length > 1 && <Badge>{data.length}</Badge>}
    >
      {!data && <QueryState query={sessions} height={76} />}
      {data && (
        <RowList aria-label="Sessions" id={listId} isFramed={false}>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setTarget(session)} />
          ))}
        </RowList>
      )}
      <Actions>
        {data?.some(({ isThisDevice }) => !isThisDevice) && (
          <Button variant="default" onClick={() => setTarget('others')}>
            Sign out everywhere else
          </Button>
        )}
        <Button variant="default" onClick={() => setTarget('all')}>
          Sign out everywhere
        </Button>
      </Actions>
      <EndSessions target={target} onClose={() => setTarget(undefined)} />
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { device, address, signedInAt, lastUsedAt, isThisDevice } = session;
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor;
  return (
    <Row
      icon={<Icon size={20} strokeWidth={1.75} aria-hidden className={styles.icon} />}
      text={
        <>
          <div className={styles.device}>
            {device}
            {isThisDevice && <Badge color="green">This device</Badge>}
          </div>
          <div className={styles.facts}>
            <span>{address ?? 'Unknown IP address'}</span>
            <span>
              Signed in <DateText value={signedInAt} />
            </span>
            <span>
              Last used <DateText value={lastUsedAt} pattern="time" />
            </span>
          </div>
        </>
      }
    >
      {!isThisDevice && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Sign out ${device}${address ? `, ${address}` : ''}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </Row>
  );
}

/** Asks for confirmation and ends sessions. */
function EndSessions({ target, onClose }: { target: SessionsToEnd | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const endOwnSession = useEndSession();
  const end = useMutation({
    mutationFn: (sessions: SessionsToEnd) => {
      if (typeof sessions === 'object') return withProof(() => call(endSession, { params: { id: sessions.id } }));
      if (sessions === 'others') return withProof(() => call(endOtherSessions, {}));
      return withProof(() => endOwnSession(() => call(endAllSessions, {})));
    },
    onSuccess: async (_, sessions) => {
      if (sessions === 'all') return toastSignedOut();
      onClose();
      if (sessions === 'others') toastSuccess('Sessions ended', 'All other devices were signed out.');
      else toastSuccess('Session ended', 'The device was signed out.');
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      restoreFocus(() => document.getElementById(listId));
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 404) onClose();
      toastError('Sign out failed', error.message);
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog target={target} onClose={onClose} action={end} title={titleOf} destructive={false}>
      {(shown) =>
        typeof shown === 'object' ? (
          <>
            <b>{shown.device}</b>
            {shown.address && ` at ${shown.address}`} will be signed out immediately. If you do not recognize it, change
            your password too.
          </>
        ) : (
          <>
            {shown === 'others'
              ? 'All browsers and devices except this one will be signed out immediately. '
              : 'All browsers and devices, including this one, will be signed out immediately. '}
            API keys keep working. Delete the ones you do not need under API Keys.
          </>
        )
      }
    </ConfirmDialog>
  );
}

function titleOf(target: SessionsToEnd): string {
  if (typeof target === 'object') return 'Sign out device';
  return target === 'others' ? 'Sign out everywhere else' : 'Sign out everywhere';
}
