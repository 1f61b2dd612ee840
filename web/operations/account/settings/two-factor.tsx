import { Badge, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renewRecoveryCodes, startSecondFactor, turnOffSecondFactor } from '#shared/accounts/second-factor.ts';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { sessionKey } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Actions, Section } from '../../../ui/section.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';

const SetupDialog = lazyPart(() => import('./two-factor-setup.tsx'), 'SetupDialog');
const CodesDialog = lazyPart(() => import('./two-factor-setup.tsx'), 'CodesDialog');

/** Turns two-factor authentication on and off, and renews its recovery codes. */
export function TwoFactor() {
  const account = useQuery(accountQuery);
  const { data } = account;
  return (
    <Section
      title="Two-factor authentication"
      description="A code from an app on your phone, in addition to your password or Google account."
      aside={data?.secondFactor && <Badge color="green">On</Badge>}
    >
      {!data && <QueryState query={account} height={36} />}
      {data && <TurnOn isOn={data.secondFactor !== null} />}
      {data?.secondFactor && <Manage {...data.secondFactor} />}
    </Section>
  );
}

/**
 * The button to turn it on, and its dialog, which stays open to show the recovery codes. When it closes, the user is
 * loaded again: an admin of whom the server requires a second factor is no longer kept from other screens.
 */
function TurnOn({ isOn }: { isOn: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const close = () => {
    setOpen(false);
    void queries.invalidateQueries({ queryKey: sessionKey });
  };
  const start = useMutation({
    mutationFn: () => withProof(() => call(startSecondFactor, {})),
    onSuccess: () => setOpen(true),
    onError: (error) => toastError('Two-factor authentication not turned on', error.message),
  });
  return (
    <>
      {!isOn && (
        <Button onClick={() => start.mutate()} loading={start.isPending}>
          Turn on
        </Button>
      )}
      <FormError error={start.error} />
      <LazyDialog opened={isOpen}>
        {(opened) => start.data && <SetupDialog opened={opened} setup={start.data} onClose={close} />}
      </LazyDialog>
    </>
  );
}

function Manage({ since, recoveryCodesLeft }: { since: string; recoveryCodesLeft: number }) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  const refresh = () => queries.invalidateQueries({ queryKey: accountQuery.queryKey });
  return (
    <>
      <Text size="sm">
        On since <DateText value={since} />. {plural(recoveryCodesLeft, 'recovery code')} left.
      </Text>
      <Actions>
        <ConfirmButton
          label="Renew recovery codes"
          size="sm"
          title="Renew recovery codes"
          destructive={false}
          run={() => withProof(() => call(renewRecoveryCodes, {}))}
          onDone={({ recoveryCodes }) => {
            setCodes(recoveryCodes);
            return refresh();
          }}
          errorTitle="Recovery codes not renewed"
        >
          You get ten new recovery codes. The old ones stop working immediately.
        </ConfirmButton>
        <ConfirmButton
          label="Turn off"
          size="sm"
          title="Turn off two-factor authentication"
          confirmLabel="Turn off"
          run={() => withProof(() => call(turnOffSecondFactor, {}))}
          onDone={() => {
            toastSuccess('Two-factor authentication turned off', 'You can sign in without a code.');
            return refresh();
          }}
          errorTitle="Two-factor authentication not turned off"
        >
          Anyone who knows your password will be able to sign in to your account. Your recovery codes stop working.
        </ConfirmButton>
      </Actions>
      <LazyDialog opened={codes !== undefined}>
        {(opened) => codes && <CodesDialog opened={opened} codes={codes} onClose={() => setCodes(undefined)} />}
      </LazyDialog>
    </>
  );
}
