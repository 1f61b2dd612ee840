import { Skeleton, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AdminAppeal, type AppealDecision, appealLimits, decideAppeal } from '#shared/appeals.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { call } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { FormError } from '../ui/dialogs.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toastSuccess } from '../ui/toast.tsx';
import { AppealBadge, appealQuery } from './appeal-badge.tsx';
import styles from './appeals.module.css';

/** A verified appeal for admins, with the form for the decision. */
export function Review({ id }: { id: number }) {
  const { data: appeal, error, refetch, isFetching } = useQuery(appealQuery(id));
  const [isChanging, setChanging] = useState(false);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (!appeal) return <Skeleton height={180} radius="md" role="status" aria-label="Loading..." />;
  const { domain, proof, state, statement, statementPublished, reason, dateDecided, decidedBy } = appeal;
  return (
    <section className={styles.review} aria-label="Appeal">
      <div className={styles.head}>
        <Link to={paths.domainPage} params={{ name: domain }}>
          {domain}
        </Link>
        <AppealBadge state={state} />
      </div>
      <p>
        The sender controls the domain, verified <DateText value={appeal.dateVerified} pattern="time" /> by{' '}
        {proof === 'dns' ? 'a TXT record' : 'a file on its web server'}.
      </p>
      {statement && (
        <div>
          <p>Statement for the page of the domain{statementPublished && ', published'}:</p>
          <blockquote className={styles.quote} dir="auto">
            {statement}
          </blockquote>
        </div>
      )}
      {dateDecided && (
        <p>
          {state === 'delisted' ? 'Delisted' : 'Kept listed'} <DateText value={dateDecided} />
          {decidedBy && ` by ${decidedBy}`}. Reason: {reason}
        </p>
      )}
      {dateDecided && !isChanging ? (
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change the decision
          </Button>
        </div>
      ) : (
        <DecisionForm appeal={appeal} onDecided={() => setChanging(false)} />
      )}
    </section>
  );
}

const successTexts = { delist: 'Domain delisted', keep: 'Decision saved' };

function DecisionForm({ appeal, onDecided }: { appeal: AdminAppeal; onDecided(): void }) {
  const { id, state, statement, statementPublished, listedNames } = appeal;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [publishStatement, setPublish] = useState(statementPublished);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (decision: AppealDecision['decision']) =>
      call(decideAppeal, { params: { id }, body: { decision, publishStatement, reason } }),
    onSuccess: (decided, decision) => {
      client.setQueryData(appealQuery(id).queryKey, decided);
      toastSuccess(successTexts[decision], `We told the owner of ${decided.domain} why.`);
      if (decision === 'delist') void refreshDomains(client);
      onDecided();
    },
  });
  const decide = (decision: AppealDecision['decision']) => !isPending && mutate(decision);
  return (
    <>
      <p>
        {listedNames.length > 0
          ? `Delisting removes ${listedNames.join(' and ')} and adds an allow rule, so that no import lists it again. The listings stay as history.`
          : 'The domain is not listed at the moment.'}
      </p>
      <Textarea
        label="Reason"
        description="The owner reads it here and by email."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={appealLimits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {statement && (
        <Checkbox
          label="Publish the statement"
          checked={publishStatement}
          onChange={(event) => setPublish(event.currentTarget.checked)}
        />
      )}
      <FormError error={error} />
      <div className={styles.buttons}>
        <Button
          color="red"
          loading={isPending && variables === 'delist'}
          disabled={reason.trim() === ''}
          onClick={() => decide('delist')}
        >
          {state === 'delisted' ? 'Save' : 'Delist'}
        </Button>
        {state !== 'delisted' && (
          <Button
            variant="default"
            loading={isPending && variables === 'keep'}
            disabled={reason.trim() === ''}
            onClick={() => decide('keep')}
          >
            Keep listed
          </Button>
        )}
      </div>
    </>
  );
}
