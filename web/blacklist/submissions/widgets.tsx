import { Badge } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { SubmissionStatus } from '#shared/blacklist/submissions.ts';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './widgets.module.css';

export const statusNames: Record<SubmissionStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** An approved domain is listed, so it is not green. */
const colors: Record<SubmissionStatus, string> = { pending: 'yellow', approved: 'brand', rejected: 'red' };

export function StatusBadge({ status }: { status: SubmissionStatus }) {
  return <Badge color={colors[status]}>{statusNames[status]}</Badge>;
}

/** The length of a text. Turns red above the maximum, because pasted text is not truncated. */
export function Counter({ text, max }: { text: string; max: number }) {
  const length = text.trim().length;
  return (
    <span className={styles.counter} data-over={length > max || undefined}>
      {length}/{max}
    </span>
  );
}

/** Props for a text field that show a hint and the length of its text below it. */
export function countedHint(hint: string, text: string, max: number) {
  return {
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
    description: (
      <span className={styles.hint}>
        <span>{hint}</span>
        <Counter text={text} max={max} />
      </span>
    ),
  };
}

interface PagerProps {
  /** The accessible name. */
  label: string;
  /** Zero-based. */
  page: number;
  pageSize: number;
  total: number;
  onChange(page: number): void;
}

/** Previous and Next buttons with the page number. Renders nothing for a single page. */
export function Pager({ label, page, pageSize, total, onChange }: PagerProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  return (
    <nav aria-label={label} className={styles.pager}>
      <Button
        variant="default"
        leftSection={<ChevronLeft size={15} aria-hidden />}
        disabled={page <= 0}
        onClick={() => onChange(Math.min(page, pages) - 1)}
      >
        Previous
      </Button>
      <span>
        Page {formatCount(page + 1)} of {formatCount(pages)}
      </span>
      <Button
        variant="default"
        rightSection={<ChevronRight size={15} aria-hidden />}
        disabled={page >= pages - 1}
        onClick={() => onChange(page + 1)}
      >
        Next
      </Button>
    </nav>
  );
}
