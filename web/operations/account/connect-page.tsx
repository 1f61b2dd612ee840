import { Alert, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { type AccessRequest, answerAccessRequest } from '#shared/accounts/oauth.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { CheckoutFrame } from '../../accounts/subscriptions/checkout-frame.tsx';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { withProof } from '../../platform/proof.ts';
import { useScreenSearch } from '../../platform/use-list-url.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { Breakable } from '../../ui/text.tsx';
import { Hint } from '../../ui/typography.ts';
import { accessRequestQuery } from './queries.ts';
import { connectSearch } from './search.ts';
import { ScopesField } from './settings/key-scopes.tsx';

/** Asks the user whether an assistant may use the account. The assistant has sent the browser here. */
export function ConnectPage() {
  useTitle('Connect an assistant');
  const { request = '' } = useScreenSearch(connectSearch);
  const query = useQuery(accessRequestQuery(request));
  return (
    <CheckoutFrame title="Connect an assistant" lead="Allow only what you have just started yourself.">
      {query.data ? (
        <Consent id={request} request={query.data} />
      ) : (
        <QueryState query={query} height={220} title="This request has expired. Start again in the assistant" />
      )}
    </CheckoutFrame>
  );
}

function Consent({ id, request }: { id: string; request: AccessRequest }) {
  const { name, host, isLocal } = request;
  const { username } = useUser();
  // Changes are allowed only on purpose.
  const [scopes, setScopes] = useState<ApiKeyScope[]>(request.scopes.filter((scope) => scope !== 'write'));
  const answer = useMutation({
    mutationFn: (allowed: ApiKeyScope[]) =>
      withProof(() => call(answerAccessRequest, { params: { id }, body: { scopes: allowed } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const press = useSingleFlight(answer.mutate);
  const isBusy = answer.isPending || answer.isSuccess;
  return (
    <>
      <p>
        <b>
          <Breakable>{name}</Breakable>
        </b>{' '}
        asks for access to the account <b>{username}</b>. Your browser then returns to{' '}
        <b data-mono>
          <Breakable>{host}</Breakable>
        </b>
        {isLocal && ', a program on your computer'}.
      </p>
      <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />}>
        Anyone can choose the name of an assistant. Check that you know the address.
      </Alert>
      <ScopesField
        legend="The assistant can"
        choices={request.scopes}
        value={scopes}
        onChange={setScopes}
        disabled={isBusy}
      />
      <Hint>
        You can disconnect it at any time under{' '}
        <TextLink to={paths.account} search={{ tab: 'api-keys' }} underline="always">
          API Keys
        </TextLink>
        .
      </Hint>
      <FormError error={answer.error} />
      <Group gap="sm">
        <Button loading={isBusy} disabled={scopes.length === 0} onClick={() => press(scopes)}>
          Allow
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => press([])}>
          Deny
        </Button>
      </Group>
      {answer.isSuccess && <Hint role="status">Return to {name}. You can close this page.</Hint>}
    </>
  );
}
