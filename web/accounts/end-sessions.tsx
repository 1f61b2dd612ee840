import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { endAllSessions, endOtherSessions, endSession, type Session } from '#shared/sessions.ts';
import { ApiError, call } from '../lib/api.ts';
import { restoreFocus } from '../lib/focus.ts';
import { useLogOut } from '../session/session.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { toast } from '../ui/toast.tsx';
import { sessionsQuery } from './queries.ts';

/** The list of sessions, which takes the focus when a row with its button has gone. */
export const sessionListId = 'session-list';

export type Ending = { what: 'one'; session: Session } | { what: 'others' } | { what: 'all' };

/** Asks before sessions are ended, and ends them. */
export function EndSessions({ ending, onClose }: { ending: Ending | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const logOut = useLogOut();
  // While the dialog fades away it still says what it asked.
  const last = useRef(ending);
  if (ending) last.current = ending;
  const shown = last.current;
  const end = useMutation({
    mutationFn: endSessions,
    onSuccess: async (_, { what }) => {
      onClose();
      // The provider's own session and what this tab has loaded end as with any other sign-out.
      if (what === 'all') return await logOut();
      const description = what === 'one' ? 'That device is signed out.' : 'Every other device is signed out.';
      toast({ title: 'Session ended', description, tone: 'success' });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      restoreFocus(() => document.getElementById(sessionListId));
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 404) onClose();
      toast({ title: 'Sign out failed', description: error.message, tone: 'destructive' });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  if (!shown) return null;
  const { title, text } = questions(shown);
  return (
    <ConfirmDialog
      opened={ending !== undefined}
      onClose={onClose}
      onConfirm={() => end.mutate(shown)}
      title={title}
      confirmLabel={title}
      destructive={false}
      busy={end.isPending}
      error={end.error}
    >
      {text}
    </ConfirmDialog>
  );
}

function endSessions(ending: Ending): Promise<undefined> {
  if (ending.what === 'one') return call(endSession, { params: { id: ending.session.id } });
  return call(ending.what === 'others' ? endOtherSessions : endAllSessions, {});
}

function questions(ending: Ending): { title: string; text: ReactNode } {
  if (ending.what === 'one') {
    const { device, address } = ending.session;
    return {
      title: 'Sign out device',
      text: (
        <>
          <b>{device}</b>
          {address && ` at ${address}`} is signed out at once. If you do not know it, change your password too.
        </>
      ),
    };
  }
  const keys = 'API keys go on working: delete those you do not need under API Keys.';
  return ending.what === 'others'
    ? {
        title: 'Sign out everywhere else',
        text: `Every browser and device but this one is signed out at once. ${keys}`,
      }
    : {
        title: 'Sign out everywhere',
        text: `Every browser and device is signed out at once, this one too. ${keys}`,
      };
}
