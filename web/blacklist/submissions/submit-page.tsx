import { Paper, Text, Title } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Submission } from '#shared/blacklist/submissions.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { OwnSubmissions } from './own-submissions.tsx';
import styles from './submit-form.module.css';
import { SubmitForm } from './submit-form.tsx';

/** The form to submit a site for the blacklist, and the user's own submissions. */
export function SubmitPage() {
  const user = useUser();
  const [sent, setSent] = useState<Submission>();
  return (
    <Screen
      title="Submit Paid Link Sites"
      lead="Do you know a site that sells backlinks? Submit it here. Once verified, it is added to the blacklist."
    >
      <div className={styles.columns}>
        <Paper className={styles.card}>
          {sent ? (
            <Thanks submission={sent} onAgain={() => setSent(undefined)} />
          ) : (
            <SubmitForm key={user.id} userId={user.id} onSent={setSent} />
          )}
        </Paper>
        <SideCards />
      </div>
      <OwnSubmissions />
    </Screen>
  );
}

function Thanks({ submission, onAgain }: { submission: Submission; onAgain: () => void }) {
  const again = useRef<HTMLButtonElement>(null);
  // The form that had the focus is no longer there.
  useEffect(() => again.current?.focus(), []);
  return (
    <EmptyState
      icon={CircleCheck}
      title="Thank You for Your Submission!"
      description={
        <>
          <b data-mono>{submission.domain}</b> is waiting for review. You can follow its status under Your Submissions.
        </>
      }
    >
      <Button ref={again} onClick={onAgain}>
        Submit Another Site
      </Button>
    </EmptyState>
  );
}

function SideCards() {
  return (
    <aside className={styles.side} aria-label="About submissions">
      <Paper className={styles.card}>
        <Title order={2} size="h3">
          Why Submit Sites?
        </Title>
        <Text size="sm">
          Every paid-link site you submit helps other site owners: once listed, its links are flagged as harmful in
          their reports, and they know not to buy links there.
        </Text>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3">
          What Happens Next?
        </Title>
        <ol className={styles.steps}>
          <li>
            <b>Review.</b> An admin reads your submission.
          </li>
          <li>
            <b>Verification.</b> The evidence is checked against the offer itself.
          </li>
          <li>
            <b>Addition if verified.</b> The site is added to the blacklist. If it is rejected, the status below shows
            it, with the reason if one was given.
          </li>
        </ol>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3">
          Important Note
        </Title>
        <Text size="sm">
          Please give evidence that can be verified: the URL of a price list or an offer, the name of the marketplace,
          or a quote from the seller's email. Submissions without such evidence are rejected, to be fair to the site.
        </Text>
      </Paper>
    </aside>
  );
}
