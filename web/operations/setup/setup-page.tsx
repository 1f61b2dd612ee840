import { Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { KeyRound, Link2Off, Terminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { Registration, type User } from '#shared/accounts/accounts.ts';
import { checkSetupLink, createFirstAdmin } from '#shared/accounts/setup.ts';
import { EmailField, UsernameField, useCheckedForm } from '../../accounts/accounts/forms.tsx';
import { confirmsPassword, NewPasswordFields } from '../../accounts/accounts/password-fields.tsx';
import { setSession, useSession } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { tryStorage } from '../../platform/storage.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useServed } from '../../ui/served.ts';
import { ErrorState } from '../../ui/states.tsx';
import { ListSteps } from './list-steps.tsx';
import { SetupFrame } from './setup-frame.tsx';

/**
 * The first steps of an installation: create the admin with the setup link, choose public lists, and see them load. The
 * server knows which step is next, so a reload continues there.
 */
export function SetupPage() {
  const session = useSession();
  const [token, forgetToken] = useSetupToken();
  const [isNewAdmin, setIsNewAdmin] = useState(false);
  if (session.state === 'loading') return <SetupFrame step={1} isLoading />;
  if (session.state === 'failed') {
    return (
      <SetupFrame step={1}>
        <ErrorState error={session.error} onRetry={session.retry} />
      </SetupFrame>
    );
  }
  if (session.user?.isAdmin) return <ListSteps takesFocus={isNewAdmin} />;
  if (token === undefined) return <SetupFrame step={1} isLoading />;
  if (token === '') return <NoLink />;
  const welcome = () => {
    forgetToken();
    setIsNewAdmin(true);
  };
  return <CreateAdmin token={token} onCreated={welcome} />;
}

const tokenKey = 'setup-token';

/**
 * The token of the setup link. It moves from the address bar to the storage of the tab, so that it is not bookmarked or
 * seen by others, and a reload keeps it. Undefined on the server, which does not know it.
 */
function useSetupToken(): [token: string | undefined, forget: () => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [stored, setStored] = useState(() => tryStorage(() => sessionStorage.getItem(tokenKey)) ?? undefined);
  useEffect(() => {
    if (hash === '') return;
    tryStorage(() => sessionStorage.setItem(tokenKey, hash));
    setStored(hash);
    void navigate({ to: paths.setup, replace: true });
  }, [hash, navigate]);
  const token = useServed<string | undefined>(undefined, () => hash || stored || '');
  return [token, () => tryStorage(() => sessionStorage.removeItem(tokenKey))];
}

function CreateAdmin({ token, onCreated }: { token: string; onCreated(): void }) {
  const queryClient = useQueryClient();
  const link = useQuery({
    queryKey: ['setup', token],
    queryFn: async ({ signal }) => {
      await call(checkSetupLink, { body: { token }, signal });
      return true;
    },
  });
  const { error } = link;
  if (error instanceof ApiError && error.status === 409) return <HasAdmin />;
  if (error instanceof ApiError && error.status === 403) return <WrongLink />;
  if (error) {
    return (
      <SetupFrame step={1}>
        <ErrorState error={error} onRetry={() => void link.refetch()} retrying={link.isFetching} />
      </SetupFrame>
    );
  }
  if (!link.data) return <SetupFrame step={1} isLoading />;
  return (
    <SetupFrame step={1} lead="This account manages the blacklist, the users and the settings.">
      <FirstAdminForm
        token={token}
        onCreated={(user) => {
          onCreated();
          setSession(queryClient, user);
        }}
        onRefused={() => void link.refetch()}
      />
    </SetupFrame>
  );
}

function WrongLink() {
  return (
    <SetupFrame step={1}>
      <EmptyState
        title="This setup link is not valid"
        description="Restart the server and use the link it prints. If it prints none, there already is an admin: sign in."
        icon={Link2Off}
      >
        <SignInLink />
      </EmptyState>
    </SetupFrame>
  );
}

function HasAdmin() {
  return (
    <SetupFrame step={1}>
      <EmptyState
        title="This server already has an admin"
        description="The setup link works only once. Sign in as the admin to continue."
        icon={KeyRound}
      >
        <SignInLink />
      </EmptyState>
    </SetupFrame>
  );
}

function NoLink() {
  return (
    <SetupFrame step={1}>
      <EmptyState
        title="Open the setup link"
        description={
          <>
            While this server has no admin, it prints a setup link each time it starts. Look for <code>/setup#</code> in
            its terminal or log. If there already is an admin, sign in.
          </>
        }
        icon={Terminal}
      >
        <SignInLink />
      </EmptyState>
    </SetupFrame>
  );
}

/** For visitors. A user who is not an admin would only return here. */
function SignInLink() {
  const { user } = useSession();
  if (user) return <span>You are signed in as {user.username}. This account is not an admin.</span>;
  return (
    <ButtonLink to={paths.auth} variant="default">
      Sign in
    </ButtonLink>
  );
}

const FirstAdminValues = z
  .extend(z.pick(Registration, { username: true, email: true, password: true }), { passwordConfirm: z.string() })
  .check(confirmsPassword('password'));

interface FirstAdminFormProps {
  /** The token of the setup link. */
  token: string;
  onCreated(user: User): void;
  /** The link has stopped working since the form was opened. */
  onRefused(): void;
}

/** Creates the first admin of the installation and signs in. */
function FirstAdminForm({ token, onCreated, onRefused }: FirstAdminFormProps) {
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { username: '', email: '', password: '', passwordConfirm: '' },
    FirstAdminValues,
  );
  const create = useMutation({
    mutationFn: (values: Registration) => call(createFirstAdmin, { body: { ...values, token } }),
    onSuccess: onCreated,
    onError: (error) => {
      if (error instanceof ApiError && (error.status === 403 || error.status === 409)) onRefused();
      showErrors(error, { title: 'Admin not created' });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ passwordConfirm: _, ...values }) => create.mutate(values), focusFirst)}>
      <Stack gap="md">
        <UsernameField {...form.getInputProps('username')} />
        <EmailField {...form.getInputProps('email')} />
        <NewPasswordFields form={form} name="password" label="Password" look={{ size: 'md' }} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={create.isPending || create.isSuccess}>
          Create admin
        </Button>
      </Stack>
    </form>
  );
}
