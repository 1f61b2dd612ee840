import { Anchor, Tooltip, VisuallyHidden } from '@mantine/core';
import type { ListedBacklink } from '#shared/reports/reports.ts';
import { NewTabIcon } from '../../../ui/external-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import styles from './referring-page.module.css';

/** The column with the page of a link, and what the export says about it: that it is lost or nofollow. */
export const pageColumn: Column<Pick<ListedBacklink, 'referringPage' | 'lost' | 'nofollow'>> = {
  name: 'Referring page',
  cell: ({ referringPage, lost, nofollow }) => (
    <>
      <ReferringPage page={referringPage} /> {lost && <span className={styles.flag}>Lost</span>}
      {nofollow && <span className={styles.flag}>Nofollow</span>}
    </>
  ),
};

/** A referring page, truncated to 50 characters with a tooltip that shows all of it. The link sends no referrer. */
export function ReferringPage({ page }: { page: string }) {
  const { shown, rest } = truncatePage(page);
  const href = toSafeHref(page);
  const content = href ? (
    <Anchor className={styles.link} inherit href={href} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
      <span className={styles.end}>
        {rest && <TruncatedRest text={rest} />}&nbsp;
        <NewTabIcon />
      </span>
    </Anchor>
  ) : (
    <span className={styles.link} tabIndex={rest ? 0 : undefined}>
      {shown}
      {rest && <TruncatedRest text={rest} />}
    </span>
  );
  if (!rest) return content;
  return (
    <Tooltip
      label={page}
      multiline
      events={{ hover: true, focus: true, touch: true }}
      className={styles.tooltip}
      // Keeps the tooltip inside the page's landmarks without the scrollable region clipping it.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      {content}
    </Tooltip>
  );
}

/** An ellipsis, with the truncated part for screen readers. */
function TruncatedRest({ text }: { text: string }) {
  return (
    <>
      <span aria-hidden>…</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </>
  );
}

/** Splits a page URL after 50 characters. `rest` is empty if it is not longer. Does not split surrogate pairs. */
export function truncatePage(page: string): { shown: string; rest: string } {
  const characters = [...page];
  return { shown: characters.slice(0, 50).join(''), rest: characters.slice(50).join('') };
}

/**
 * Returns a link target for a referring page of an uploaded file: an http(s) URL, or `http://` plus a bare host.
 * Returns undefined for anything else, such as `javascript:`.
 */
export function toSafeHref(page: string): string | undefined {
  const text = page.trim();
  const isBare = /^[^\s/:@?#]+\.[^\s/:@?#]+(?:[/?#]|$)/.test(text);
  try {
    const url = new URL(isBare ? `http://${text}` : text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
