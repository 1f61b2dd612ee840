import { Container, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { submissionPageSizes, submissionStatuses } from '#shared/choices.ts';
import { useTitle } from '../lib/use-title.ts';
import { SelectField } from '../ui/fields.tsx';
import { submissionsQuery } from './queries.ts';
import { ReviewList } from './review-list.tsx';
import styles from './review-page.module.css';
import { statusWords } from './status-badge.tsx';
import { type Review, useReview } from './use-review.ts';

/** The admins' review of the sites that users suggested. */
export function ReviewPage() {
  useTitle('Site Submissions');
  const review = useReview();
  return (
    <Container size="var(--page-width)" pt={28} pb={40}>
      <div className={styles.head}>
        <div>
          <Title order={1}>Site Submissions</Title>
          <Text c="dimmed" mt={4}>
            Sites suggested by users. An approved one is added to the blacklist.
          </Text>
        </div>
        <SizeAndTotal review={review} />
      </div>
      <Tabs
        value={review.status}
        onChange={(next) => {
          const status = submissionStatuses.find((name) => name === next);
          if (status) void review.showStatus(status);
        }}
        keepMounted={false}
      >
        <Tabs.List className={styles.tabs}>
          {submissionStatuses.map((status) => (
            <Tabs.Tab key={status} value={status}>
              {statusWords[status]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {submissionStatuses.map((status) => (
          <Tabs.Panel key={status} value={status} pt="lg">
            <ReviewList review={review} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Container>
  );
}

const number = new Intl.NumberFormat('en-US');
const sizes = submissionPageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

function SizeAndTotal({ review }: { review: Review }) {
  const { status, page, pageSize } = review;
  const { data } = useQuery(submissionsQuery({ status, page, pageSize }));
  return (
    <div className={styles.size}>
      <span role="status">
        {data && `${number.format(data.total)} ${data.total === 1 ? 'submission' : 'submissions'}`}
      </span>
      <SelectField
        aria-label="Submissions per page"
        size="xs"
        options={sizes}
        value={String(pageSize)}
        onChange={(chosen) => {
          const size = submissionPageSizes.find((one) => String(one) === chosen);
          if (size) void review.showSize(size);
        }}
      />
    </div>
  );
}
