import { Group, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Proof, proofs } from '#shared/blacklist/appeals.ts';
import { type CrawlOptOut, createOptOut, deleteOptOut, listOptOuts, verifyOptOut } from '#shared/blacklist/crawl.ts';
import { ApiError, call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { RadioGroup } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import styles from '../appeals/appeals.module.css';
import { checkProofLabels, ProofInstructions, proofLabels } from '../appeals/appeals.tsx';

const optOutsQuery = endpointQuery(['crawl', 'opt-outs'], listOptOuts, {});

/** The domains whose visits the user stops, and the form for another one. */
export function OptOuts() {
  const query = useQuery(optOutsQuery);
  if (!query.data) return <QueryState query={query} height={120} />;
  return (
    <>
      {query.data.length > 0 && (
        <ul className={styles.list} aria-label="Your domains">
          {query.data.map((optOut) => (
            <OptOut key={optOut.id} optOut={optOut} />
          ))}
        </ul>
      )}
      <OptOutForm />
    </>
  );
}

function OptOutForm() {
  const client = useQueryClient();
  const [domain, setDomain] = useState('');
  const [proof, setProof] = useState<Proof>('dns');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(createOptOut, { body: { domain, proof } }),
    onSuccess: () => {
      setDomain('');
      return client.invalidateQueries({ queryKey: optOutsQuery.queryKey });
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Stop visits to a domain">
      <TextInput
        label="Your domain"
        description="Its subdomains are included."
        placeholder="example.com"
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
        error={fields.domain}
      />
      <RadioGroup
        legend="How do you prove that you control it?"
        options={proofs.map((value) => ({ value, label: proofLabels[value] }))}
        value={proof}
        onChange={setProof}
      />
      <FormError error={fields.domain ? null : error} />
      <Group gap={8}>
        <Button type="submit" loading={isPending} disabled={domain.trim() === ''}>
          Continue
        </Button>
      </Group>
    </form>
  );
}

function OptOut({ optOut }: { optOut: CrawlOptOut }) {
  const { id, domain, proof, dateVerified } = optOut;
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: optOutsQuery.queryKey });
  const verify = useMutation({
    mutationFn: () => call(verifyOptOut, { params: { id } }),
    onSuccess: async (result) => {
      if (!result.verified) return;
      toastSuccess('Visits stopped', result.message);
      await refresh();
    },
  });
  const remove = useMutation({ mutationFn: () => call(deleteOptOut, { params: { id } }), onSuccess: refresh });
  return (
    <li className={styles.appeal}>
      <b data-mono>{domain}</b>
      {dateVerified === null ? (
        <ProofInstructions {...optOut} />
      ) : (
        <p>
          Not visited since <DateText value={dateVerified} />.
        </p>
      )}
      <div aria-live="polite">
        {verify.data && !verify.data.verified && <p className={styles.result}>{verify.data.message}</p>}
      </div>
      <FormError error={verify.error ?? remove.error} />
      <Group gap={8}>
        {dateVerified === null && (
          <Button loading={verify.isPending} onClick={() => verify.mutate()}>
            {checkProofLabels[proof]}
          </Button>
        )}
        <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
          {dateVerified === null ? 'Withdraw' : 'Allow visits again'}
        </Button>
      </Group>
    </li>
  );
}
