import { Paper, Text, Title } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Submission } from '#shared/submissions.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { EmptyState } from '../ui/states.tsx';
import { OwnSubmissions } from './own-submissions.tsx';
import styles from './submit-form.module.css';
import { SubmitForm } from './submit-form.tsx';

/** The form to suggest a site for the blacklist, and the person's earlier suggestions. */
export function SubmitPage() {
  const user = useUser();
  const [sent, setSent] = useState<Submission>();
  return (
    <Screen
      title="Submit Paid Link Sites"
      lead="Do you know a site that sells backlinks? Tell us. Once it is verified, it is in the blacklist for everyone."
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
  // The form that had the focus is gone.
  useEffect(() => again.current?.focus(), []);
  return (
    <EmptyState
      icon={CircleCheck}
      title="Thank You for Your Submission!"
      description={
        <>
          <b>{submission.domain}</b> is waiting for review. You find its status under Your Submissions.
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
        <Title order={2} size="h3" mb={6}>
          Why Submit Sites?
        </Title>
        <Text size="sm">
          Every paid-link site that is listed warns all others: it marks the harmful links in their reports and keeps
          them from buying there. What you know helps the sites of people who do not.
        </Text>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3" mb={10}>
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
            <b>Addition if verified.</b> The site joins the blacklist with its sources. Otherwise you see the reason
            below.
          </li>
        </ol>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3" mb={6}>
          Important Note
        </Title>
        <Text size="sm">
          Please give evidence that can be verified: the address of a price list or an offer, the name of the
          marketplace, or what an email of the seller says. A listing without it would be unfair to the site, and is
          rejected.
        </Text>
      </Paper>
    </aside>
  );
}
