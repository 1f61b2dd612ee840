import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import { linkOidcProvider, signInProblems, unlinkIdentity } from '#shared/accounts/oidc.ts';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { pageState } from '../../../platform/page-state.ts';
import { withProof } from '../../../platform/proof.ts';
import { useScreenSearch } from '../../../platform/use-list-url.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Facts, Section } from '../../../ui/section.tsx';
import { Breakable } from '../../../ui/text.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { accessQuery } from '../queries.ts';
import { accountSearch } from '../search.ts';

/** The password, the Google account and the identities at other providers that sign in to the account. */
export function SignInMethods() {
  const { email, firebaseUid } = useUser();
  const { google, signInProviders } = pageState();
  const { problem } = useScreenSearch(accountSearch);
  const account = useQuery(accountQuery);
  const access = useQuery(accessQuery);
  const identities = access.data?.identities ?? [];
  return (
    <Section title="Sign-in methods">
      <Facts>
        <dt>Password</dt>
        <dd>{account.data ? account.data.hasPassword ? 'Set' : 'Not set' : <Skeleton height={16} width={60} />}</dd>
        {(firebaseUid || google) && (
          <>
            <dt>Google</dt>
            <dd>
              {firebaseUid ? (
                'Linked'
              ) : (
                <>
                  Not linked. To link a Google account, sign in with the one that has the address{' '}
                  <Breakable>{email}</Breakable>.
                </>
              )}
            </dd>
          </>
        )}
        {signInProviders
          .filter(({ id }) => !identities.some(({ provider }) => provider === id))
          .map(({ id, name }) => (
            <Fragment key={id}>
              <dt>{name}</dt>
              <dd>{access.data ? <LinkProvider id={id} name={name} /> : <Skeleton height={16} width={60} />}</dd>
            </Fragment>
          ))}
        {identities.map(({ id, name }) => (
          <Fragment key={id}>
            <dt>{name}</dt>
            <dd>
              <UnlinkButton id={id} provider={name} />
            </dd>
          </Fragment>
        ))}
      </Facts>
      <FormError error={problem && { message: signInProblems[problem] }} />
    </Section>
  );
}

function LinkProvider({ id, name }: { id: string; name: string }) {
  const link = useMutation({
    mutationFn: () => withProof(() => call(linkOidcProvider, { params: { provider: id } })),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toastError('Not linked', error.message),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={link.isPending || link.isSuccess}
      aria-label={`Link ${name}`}
      onClick={() => link.mutate()}
    >
      Link
    </Button>
  );
}

function UnlinkButton({ id, provider }: { id: number; provider: string }) {
  const queries = useQueryClient();
  return (
    <ConfirmButton
      label="Unlink"
      name={`Unlink ${provider}`}
      size="compact-sm"
      title={`Unlink ${provider}`}
      run={() => withProof(() => call(unlinkIdentity, { params: { id } }))}
      onDone={async () => {
        toastSuccess('Unlinked', `${provider} can no longer sign in to your account.`);
        await queries.invalidateQueries({ queryKey: accessQuery.queryKey });
      }}
      errorTitle="Not unlinked"
    >
      {provider} will no longer sign in to your account. You can link it again.
    </ConfirmButton>
  );
}
