import { Group, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type Appeal,
  appealLimits,
  createAppeal,
  type Proof,
  proofFileUrl,
  proofRecordName,
  proofs,
  verifyAppeal,
  withdrawAppeal,
} from '#shared/blacklist/appeals.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { RadioGroup } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { AppealBadge, ownAppealsQuery } from './appeal-badge.tsx';
import styles from './appeals.module.css';

interface Props {
  domain: string;
  /** Whether the domain is listed. */
  canAppeal: boolean;
}

/** The user's appeals for a domain with their next steps, and the form for another one. */
export function OwnerAppeals({ domain, canAppeal }: Props) {
  const query = useQuery(ownAppealsQuery(domain));
  const { data: appeals } = query;
  const [isWriting, setWriting] = useState(false);
  if (!appeals) return <QueryState query={query} height={60} />;
  const hasOpen = appeals.some(({ dateDecided }) => dateDecided === null);
  return (
    <>
      {appeals.length > 0 && (
        <ul className={styles.list} aria-label="Your appeals">
          {appeals.map((appeal) => (
            <OwnAppeal key={appeal.id} appeal={appeal} />
          ))}
        </ul>
      )}
      {canAppeal &&
        !hasOpen &&
        (isWriting ? (
          <AppealForm domain={domain} onClose={() => setWriting(false)} />
        ) : (
          <p>
            <Button variant="default" onClick={() => setWriting(true)}>
              Appeal this listing
            </Button>
          </p>
        ))}
    </>
  );
}

export const proofLabels: Record<Proof, string> = {
  dns: 'Add a TXT record to the DNS of the domain',
  file: 'Put a file on the web server of the domain',
};

/** What the owner writes, and how the owner proves control of the domain. */
function AppealForm({ domain, onClose }: { domain: string; onClose(): void }) {
  const client = useQueryClient();
  const [message, setMessage] = useState('');
  const [statement, setStatement] = useState('');
  const [proof, setProof] = useState<Proof>('dns');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(createAppeal, { params: { name: domain }, body: { message, statement, proof } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ownAppealsQuery(domain).queryKey });
      onClose();
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Appeal">
      <Textarea
        label="What is wrong?"
        description="Only admins can read this."
        autosize
        minRows={4}
        maxRows={14}
        maxLength={appealLimits.message}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        error={fields.message}
        data-autofocus
      />
      <Textarea
        label="Statement for this page (optional)"
        description="Shown to everyone on this page if an admin approves it."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={appealLimits.statement}
        value={statement}
        onChange={(event) => setStatement(event.currentTarget.value)}
        error={fields.statement}
      />
      <RadioGroup
        legend={`How do you prove that you control ${domain}?`}
        options={proofs.map((value) => ({ value, label: proofLabels[value] }))}
        value={proof}
        onChange={setProof}
      />
      <FormError error={error} />
      <Group gap={8}>
        <Button type="submit" loading={isPending} disabled={message.trim() === ''}>
          Continue
        </Button>
        <Button variant="default" onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

function OwnAppeal({ appeal }: { appeal: Appeal }) {
  const { state, dateCreated, dateVerified, dateDecided, message, reason, statement, statementPublished } = appeal;
  return (
    <li className={styles.appeal}>
      <div className={styles.head}>
        <span>
          Your appeal from <DateText value={dateCreated} />
        </span>
        <AppealBadge state={state} />
      </div>
      <p className={styles.own} dir="auto">
        {message}
      </p>
      {state === 'unverified' && <ProofSteps appeal={appeal} />}
      {state === 'verified' && (
        <p>
          We verified on <DateText value={dateVerified} /> that you control the domain. An admin is reviewing your
          appeal. The decision will appear here.
        </p>
      )}
      {dateDecided && (
        <>
          <p>
            {state === 'delisted' ? 'Removed from the blacklist on ' : 'Kept on the blacklist on '}
            <DateText value={dateDecided} />.{' '}
            {statement && (statementPublished ? 'Your statement is published.' : 'Your statement is not published.')}
          </p>
          <p>
            <b>Reason:</b> {reason}
          </p>
        </>
      )}
    </li>
  );
}

/** What the owner has to publish. */
export function ProofInstructions({ domain, proof, token }: Pick<Appeal, 'domain' | 'proof' | 'token'>) {
  return proof === 'dns' ? (
    <>
      <p>
        Add this TXT record to the DNS settings of {domain}, then select <b>Check the record</b>. New records can take
        up to an hour to appear.
      </p>
      <dl className={styles.values}>
        <Value label="Name" value={proofRecordName(domain)} />
        <Value label="Value" value={token} />
      </dl>
    </>
  ) : (
    <>
      <p>
        Upload a text file that contains only the token to this URL, then select <b>Check the file</b>.
      </p>
      <dl className={styles.values}>
        <Value label="URL" value={proofFileUrl(domain)} />
        <Value label="Content" value={token} />
      </dl>
    </>
  );
}

/** Looks for the proof. */
export const checkProofLabels: Record<Proof, string> = { dns: 'Check the record', file: 'Check the file' };

/** What the owner has to publish, and a button that looks for it. */
function ProofSteps({ appeal }: { appeal: Appeal }) {
  const { id, domain, proof } = appeal;
  const client = useQueryClient();
  const params = { name: domain, id };
  const refresh = () => client.invalidateQueries({ queryKey: ownAppealsQuery(domain).queryKey });
  const verify = useMutation({
    mutationFn: () => call(verifyAppeal, { params }),
    onSuccess: async (result) => {
      if (!result.verified) return;
      toastSuccess('Domain verified', result.message);
      await refresh();
    },
  });
  const withdraw = useMutation({ mutationFn: () => call(withdrawAppeal, { params }), onSuccess: refresh });
  return (
    <>
      <ProofInstructions {...appeal} />
      <div aria-live="polite">
        {verify.data && !verify.data.verified && <p className={styles.result}>{verify.data.message}</p>}
      </div>
      <FormError error={verify.error ?? withdraw.error} />
      <Group gap={8}>
        <Button loading={verify.isPending} onClick={() => verify.mutate()}>
          {checkProofLabels[proof]}
        </Button>
        <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw
        </Button>
      </Group>
    </>
  );
}

function Value({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton value={value} label={`Copy the ${label.toLowerCase()}`} />
      </dd>
    </div>
  );
}
