import { Group, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AdminAppeal, type AppealDecision, appealLimits, decideAppeal } from '#shared/blacklist/appeals.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { AppealBadge, appealQuery } from './appeal-badge.tsx';
import styles from './appeals.module.css';

/** A verified appeal for admins, with the form for the decision. */
export function AppealReview({ id }: { id: number }) {
  const query = useQuery(appealQuery(id));
  const { data: appeal } = query;
  const [isChanging, setChanging] = useState(false);
  if (!appeal) return <QueryState query={query} height={416} />;
  const { domain, proof, state, statement, statementPublished, reason, dateDecided, decidedBy } = appeal;
  return (
    <section className={styles.review} aria-label="Appeal">
      <div className={styles.head}>
        <Link to={paths.domainPage} params={{ name: domain }} data-mono>
          {domain}
        </Link>
        <AppealBadge state={state} />
      </div>
      <p>
        Control of the domain was verified with {proof === 'dns' ? 'a TXT record' : 'a file on its web server'} on{' '}
        <DateText value={appeal.dateVerified} />.
      </p>
      {statement && (
        <div>
          <p>Statement ({statementPublished ? "published on the domain's page" : 'not published'}):</p>
          <blockquote className={styles.quote} dir="auto">
            {statement}
          </blockquote>
        </div>
      )}
      {dateDecided && (
        <p>
          {state === 'delisted' ? 'Delisted' : 'Kept listed'} on <DateText value={dateDecided} />
          {decidedBy && ` by ${decidedBy}`}. Reason: {reason}
        </p>
      )}
      {dateDecided && !isChanging ? (
        <Group gap={8}>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change the decision
          </Button>
        </Group>
      ) : (
        <DecisionForm appeal={appeal} onDecided={() => setChanging(false)} />
      )}
    </section>
  );
}

const successTexts = { delist: 'Domain delisted', keep: 'Decision saved' };

function DecisionForm({ appeal, onDecided }: { appeal: AdminAppeal; onDecided(): void }) {
  const { id, domain, state, statement, statementPublished, listedNames } = appeal;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [publishStatement, setPublish] = useState(statementPublished);
  // The proof is for this domain only, so an admin has to choose its parents.
  const [names, setNames] = useState<readonly string[]>(state === 'delisted' ? [] : [domain]);
  const choices = state === 'delisted' || listedNames.includes(domain) ? listedNames : [domain, ...listedNames];
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (decision: AppealDecision['decision']) =>
      call(decideAppeal, {
        params: { id },
        body: { decision, publishStatement, reason, ...(names.length > 0 && { names: [...names] }) },
      }),
    onSuccess: (decided, decision) => {
      client.setQueryData(appealQuery(id).queryKey, decided);
      toastSuccess(
        successTexts[decision],
        `The owner can see the decision and the reason on the page of ${decided.domain}.`,
      );
      if (decision === 'delist') void refreshDomains(client);
      onDecided();
    },
  });
  const decide = (decision: AppealDecision['decision']) => !isPending && mutate(decision);
  return (
    <>
      {choices.length > (state === 'delisted' ? 0 : 1) && (
        <fieldset className={styles.names}>
          <legend>Names to delist</legend>
          {choices.map((name) => (
            <Checkbox
              key={name}
              label={name === domain ? name : `${name} and all its subdomains (control is not verified)`}
              checked={names.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                setNames(checked ? [...names, name] : names.filter((other) => other !== name))
              }
            />
          ))}
        </fieldset>
      )}
      <p>{describeEffect(appeal, names)}</p>
      <Textarea
        label="Reason"
        description="The owner sees it on the domain's page and in an email."
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
      <Group gap={8}>
        <Button
          color="red"
          loading={isPending && variables === 'delist'}
          disabled={reason.trim() === '' || (names.length === 0 && state !== 'delisted')}
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
      </Group>
    </>
  );
}

const listFormat = new Intl.ListFormat('en');

/** @param names what the admin selected to delist */
function describeEffect({ domain, state, listedNames }: AdminAppeal, names: readonly string[]): string {
  if (names.length === 0) {
    return state === 'delisted'
      ? 'Saving replaces the reason, and publishes or removes the statement.'
      : 'Select the names to delist, or keep them listed.';
  }
  if (listedNames.length === 0)
    return `${domain} is not listed. Delisting adds an allow rule, so imports cannot list it again.`;
  const [rules, them] = names.length > 1 ? ['an allow rule for each', 'them'] : ['an allow rule', 'it'];
  const effect = `Delisting removes ${listFormat.format(names)} from the blacklist and adds ${rules}. Imports cannot list ${them} again. The listings stay as history.`;
  const kept = listedNames.filter((name) => !isCovered(name, names));
  return kept.length === 0
    ? effect
    : `${effect} ${listFormat.format(kept)} ${kept.length === 1 ? 'stays' : 'stay'} listed.`;
}

const isCovered = (name: string, parents: readonly string[]) =>
  parents.some((parent) => name === parent || name.endsWith(`.${parent}`));
