import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endAccountAccess } from '#shared/operations/account-access.ts';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { sessionKey } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { plural } from '../../../platform/format.ts';
import { withProof } from '../../../platform/proof.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Actions, Facts, Section } from '../../../ui/section.tsx';
import { Breakable } from '../../../ui/text.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { accessQuery } from '../queries.ts';

/** Lists what has access to the account besides its password, with a button that revokes all of it. */
export function AccountAccess() {
  const access = useQuery(accessQuery);
  const account = useQuery(accountQuery);
  const { data } = access;
  return (
    <Section
      title="Other access"
      description="These give access without your password, also after you change it. Revoke them if someone else may have had access to your account."
    >
      {!data && <QueryState query={access} height={180} />}
      {data && (
        <>
          <Facts>
            <dt>API keys and assistants</dt>
            <dd>
              <Names names={data.apiKeys.map(({ name }) => name)} />
            </dd>
            <dt>Webhooks</dt>
            <dd>
              <Names names={data.webhooks.map(({ url }) => new URL(url).host)} />
            </dd>
            <dt>Shared reports</dt>
            <dd>
              <Names names={[...new Set(data.shares.map(({ website }) => website))]} />
            </dd>
            <dt>Alert feed</dt>
            <dd>Anyone with its address can read your alerts</dd>
            <dt>Google account</dt>
            <dd>{data.hasGoogle ? 'Can sign in' : 'None'}</dd>
            {data.identities.length > 0 && (
              <>
                <dt>Sign-in providers</dt>
                <dd>
                  <Names names={data.identities.map(({ name }) => name)} />
                </dd>
              </>
            )}
            <dt>Other devices</dt>
            <dd>{data.otherSessions === 0 ? 'None' : plural(data.otherSessions, 'session')}</dd>
            {account.data && (
              <>
                <dt>Two-factor</dt>
                <dd>
                  {account.data.secondFactor
                    ? `On, with ${plural(account.data.secondFactor.recoveryCodesLeft, 'recovery code')}`
                    : 'Off'}
                </dd>
              </>
            )}
          </Facts>
          <EndAccess />
        </>
      )}
    </Section>
  );
}

function Names({ names }: { names: string[] }) {
  return names.length === 0 ? 'None' : <Breakable>{names.join(', ')}</Breakable>;
}

function EndAccess() {
  const queries = useQueryClient();
  return (
    <Actions>
      <ConfirmButton
        label="Revoke all access"
        size="sm"
        title="Revoke all access"
        run={() => withProof(() => call(endAccountAccess, {}))}
        onDone={async () => {
          toastSuccess('Access revoked', 'Only your password and your second factor give access to your account now.');
          // The user has changed too: the Google account is no longer linked.
          await queries.invalidateQueries({ queryKey: sessionKey });
          await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
        }}
        errorTitle="Access not revoked"
      >
        Your API keys, connected assistants, webhooks and links to reports are deleted, and the address of your alert
        feed is replaced. Programs that use them stop working. Your Google account and other providers are unlinked if
        you can sign in with a password, and all other devices are signed out. Two-factor authentication stays on. If
        someone may know your recovery codes, renew them.
      </ConfirmButton>
    </Actions>
  );
}
