import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useEffect } from 'react';
import type { Submission } from '#shared/blacklist/submissions.ts';
import { paths } from '../../paths.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import styles from './own-submissions.module.css';
import { ownPageSize, ownSubmissionsQuery } from './queries.ts';
import { submitSearch } from './search.ts';
import { Pager, StatusBadge } from './widgets.tsx';

export function OwnSubmissions() {
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
