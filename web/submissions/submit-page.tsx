import { Paper } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Submission } from '#shared/submissions.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { EmptyState } from '../ui/states.tsx';
import { OwnSubmissions } from './own-submissions.tsx';
import { SideCards } from './side-cards.tsx';
import { SubmitForm } from './submit-form.tsx';
import styles from './submit-page.module.css';

/** Suggesting a site for the blacklist, and what became of earlier suggestions. */
export function SubmitPage() {
  const user = useUser();
  const [sent, setSent] = useState<Submission>();
  return (
    <Screen
      title="Submit Paid Link Sites"
      lead="Do you know a site that sells backlinks? Tell us, and once it is verified everybody is warned of it."
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
          <b>{submission.domain}</b> is waiting for review. Its status stands under Your Submissions.
        </>
      }
    >
      <Button ref={again} onClick={onAgain}>
        Submit Another Site
      </Button>
    </EmptyState>
  );
}
