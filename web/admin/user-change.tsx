import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { disableUser, enableUser, grantAdmin, type ManagedUser, revokeAdmin } from '#shared/users.ts';
import { call } from '../lib/api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { usersKey } from './queries.ts';

export interface Change {
  user: ManagedUser;
  what: keyof typeof changes;
}

const changes = {
  grant: {
    endpoint: grantAdmin,
    title: 'Make admin',
    doneTitle: 'Admin added',
    text: (name: ReactNode) => (
      <>{name} will be able to change the blacklist, every website and every account, yours too.</>
    ),
    done: (name: string) => `${name} is an admin now.`,
    destructive: false,
  },
  revoke: {
    endpoint: revokeAdmin,
    title: 'Remove admin',
    doneTitle: 'Admin removed',
    text: (name: ReactNode) => <>{name} will use Linksieve as any other person does, from the next click on.</>,
    done: (name: string) => `${name} is no longer an admin.`,
    destructive: true,
  },
  disable: {
    endpoint: disableUser,
    title: 'Disable account',
    doneTitle: 'Account disabled',
    text: (name: ReactNode) => (
      <>{name} will be signed out everywhere at once and cannot sign in again. Websites and reports stay.</>
    ),
    done: (name: string) => `${name} is disabled and signed out.`,
    destructive: true,
  },
  enable: {
    endpoint: enableUser,
    title: 'Enable account',
    doneTitle: 'Account enabled',
    text: (name: ReactNode) => <>{name} will be able to sign in again.</>,
    done: (name: string) => `${name} can sign in again.`,
    destructive: false,
  },
} as const;

/** Asks before an account is changed, and changes it. */
export function UserChange({ change, onClose }: { change: Change | undefined; onClose(): void }) {
  const queries = useQueryClient();
  // While the dialog fades away it still says what it asked.
  const last = useRef(change);
  if (change) last.current = change;
  const shown = last.current;
  const apply = useMutation({
    mutationFn: ({ user, what }: Change) => call(changes[what].endpoint, { params: { id: user.id } }),
    onSuccess: (user, { what }) => {
      onClose();
      toast({ title: changes[what].doneTitle, description: changes[what].done(user.username), tone: 'success' });
    },
    onError: (error) => toast({ title: 'Update Failed', description: error.message, tone: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  });
  if (!shown) return null;
  const { title, text, destructive } = changes[shown.what];
  return (
    <ConfirmDialog
      opened={change !== undefined}
      onClose={onClose}
      onConfirm={() => apply.mutate(shown)}
      title={title}
      confirmLabel={title}
      destructive={destructive}
      busy={apply.isPending}
      error={apply.error}
    >
      {text(<b>{shown.user.username}</b>)}
    </ConfirmDialog>
  );
}
