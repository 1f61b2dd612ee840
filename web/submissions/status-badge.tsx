import { Badge } from '@mantine/core';
import type { SubmissionStatus } from '#shared/submissions.ts';

export const statusWords: Record<SubmissionStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

const colors: Record<SubmissionStatus, string> = { pending: 'yellow', approved: 'green', rejected: 'red' };

export function StatusBadge({ status }: { status: SubmissionStatus }) {
  return (
    <Badge variant="light" color={colors[status]} tt="none">
      {statusWords[status]}
    </Badge>
  );
}
