import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { focusOn } from '../platform/focus.ts';
import { formatCount } from '../platform/format.ts';
import styles from './pagination.module.css';

interface Props {
  /** Zero-based. */
  page: number;
  pageSize: number;
  total: number;
  onChange: (page: number) => void;
  /** The accessible name of the pagination. */
  label?: string;
  /** Shown next to the count, such as a page size selector. */
  children?: ReactNode;
}

/**
 * The number of results and buttons for the pages of a list. Renders nothing for an empty list. It is rendered directly
 * after the list, whose start it shows and focuses on another page.
 */
export function Pagination({ page, pageSize, total, onChange, label = 'Pagination', children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  if (total === 0) return null;
  const totalPages = Math.ceil(total / pageSize);
  const from = Math.min(page * pageSize + 1, total);
  const to = Math.min((page + 1) * pageSize, total);
  const goTo = (to: number) => {
    onChange(to);
    showStart(bar.current?.previousElementSibling);
  };
  const previous = { disabled: page <= 0, onClick: () => goTo(page - 1) };
  const next = { disabled: page >= totalPages - 1, onClick: () => goTo(page + 1) };
  return (
    <div ref={bar} className={styles.bar}>
      <div className={styles.count}>
        <p role="status">
          Showing {formatCount(from)} to {formatCount(to)} of {formatCount(total)} results
        </p>
        {children}
      </div>
      {totalPages > 1 && (
        <nav aria-label={label}>
          <div className={styles.pages}>
            <button type="button" className={styles.step} aria-label="Previous page" {...previous}>
              <ChevronLeft size={16} aria-hidden />
            </button>
            {pageWindow(page, totalPages).map((entry, index) =>
              entry === 'gap' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other key
                <span key={`gap-${index}`} className={styles.gap} aria-hidden>
                  …
                </span>
              ) : (
                <button
                  key={entry}
                  type="button"
                  className={styles.page}
                  aria-label={`Page ${formatCount(entry + 1)}`}
                  aria-current={entry === page ? 'page' : undefined}
                  onClick={() => goTo(entry)}
                >
                  {formatCount(entry + 1)}
                </button>
              ),
            )}
            <button type="button" className={styles.step} aria-label="Next page" {...next}>
              <ChevronRight size={16} aria-hidden />
            </button>
          </div>
          <div className={styles.narrow}>
            <button type="button" className={styles.step} {...previous}>
              Previous
            </button>
            <span>
              Page {formatCount(page + 1)} of {formatCount(totalPages)}
            </span>
            <button type="button" className={styles.step} {...next}>
              Next
            </button>
          </div>
        </nav>
      )}
    </div>
  );
}

/** Moves the focus to a list, and scrolls to its start if that is not visible. */
function showStart(list: Element | null | undefined): void {
  if (!(list instanceof HTMLElement)) return;
  list.scrollTop = 0;
  focusOn(list, { preventScroll: true });
  const hidden = Number.parseFloat(getComputedStyle(list).scrollMarginTop);
  if (list.getBoundingClientRect().top < hidden) list.scrollIntoView();
}

/** The zero-based page numbers to show: first, last and those around `page`, with 'gap' for the others. */
export function pageWindow(page: number, totalPages: number): (number | 'gap')[] {
  const last = totalPages - 1;
  if (totalPages <= 7) return Array.from({ length: totalPages }, (_, index) => index);
  if (page <= 3) return [0, 1, 2, 3, 4, 'gap', last];
  if (page >= last - 3) return [0, 'gap', last - 4, last - 3, last - 2, last - 1, last];
  return [0, 'gap', page - 1, page, page + 1, 'gap', last];
}
