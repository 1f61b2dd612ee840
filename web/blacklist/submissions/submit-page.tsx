import { Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Submission } from '#shared/blacklist/submissions.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { Screen, TextLink } from '../../ui/screen.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { ownPageSize, ownSubmissionsQuery } from './queries.ts';
import { submitSearch } from './search.ts';
import styles from './submit-form.module.css';
import { SubmitForm } from './submit-form.tsx';
import { Pager, StatusBadge } from './widgets.tsx';

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

function OwnSubmissions() {
  const { search, goToPage } = useListUrl(submitSearch);
  const page = (search.page ?? 1) - 1;
  const query = useQuery(ownSubmissionsQuery(page));
  const { data } = query;
  const isPastEnd = data !== undefined && data.submissions.length === 0 && page > 0;
  useEffect(() => {
    if (isPastEnd) void goToPage(1, true);
  }, [isPastEnd, goToPage]);

  return (
    <section className={styles.section} aria-labelledby="own-submissions">
      <SectionTitle size="h2" id="own-submissions">
        Your Submissions
      </SectionTitle>
      {!data || isPastEnd ? (
        <QueryState query={query} height={74} />
      ) : data.total === 0 ? (
        <EmptyState
          icon={Inbox}
          order={3}
          title="No submissions yet"
          description="Your submissions and their status appear here, with the reason if one is rejected."
        />
      ) : (
        <>
          <RowList>
            {data.submissions.map((submission) => (
              <OwnSubmission key={submission.id} submission={submission} />
            ))}
          </RowList>
          <Pager
            label="Pages of your submissions"
            page={page}
            pageSize={ownPageSize}
            total={data.total}
            onChange={(next) => void goToPage(next + 1)}
          />
        </>
      )}
    </section>
  );
}

function OwnSubmission({ submission }: { submission: Submission }) {
  const { domain, status, reason, dateSubmitted, dateDecided } = submission;
  return (
    <Row
      text={
        <>
          <b data-mono>{domain}</b>
          <Hint component="div">
            Submitted <DateText value={dateSubmitted} />
            {dateDecided && (
              <>
                , {status} <DateText value={dateDecided} />
              </>
            )}
          </Hint>
          {reason && (
            <p className={styles.reason}>
              <b>Reason:</b> {reason}
            </p>
          )}
        </>
      }
    >
      <div className={styles.outcome}>
        {status === 'approved' && (
          <TextLink to={paths.domains} search={{ search: domain }} size="sm">
            Show in the blacklist<VisuallyHidden>: {domain}</VisuallyHidden>
          </TextLink>
        )}
        <StatusBadge status={status} />
      </div>
    </Row>
  );
}
