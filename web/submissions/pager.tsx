import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  /** What the list holds, for people who do not see it. */
  label: string;
  /** From zero. */
  page: number;
  pageSize: number;
  total: number;
  onChange(page: number): void;
}

const number = new Intl.NumberFormat('en-US');

/** Previous and next, and where one is; nothing where all is on one page. */
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
        Page {number.format(page + 1)} of {number.format(pages)}
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
