import { Anchor, Tooltip, VisuallyHidden } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import styles from './harmful-backlinks.module.css';
import { cutPage, linkOf } from './referring-page.ts';

/** A referring page, cut at 50 characters, whole on hover and focus. Its link tells the page nothing about us. */
export function ReferringPage({ page }: { page: string }) {
  const { shown, rest } = cutPage(page);
  const href = linkOf(page);
  const text = (
    <>
      {shown}
      {rest && (
        <>
          <span aria-hidden>…</span>
          <VisuallyHidden>{rest}</VisuallyHidden>
        </>
      )}
    </>
  );
  const content = href ? (
    <Anchor className={styles.link} inherit href={href} target="_blank" rel="noopener noreferrer nofollow">
      {text} <ExternalLink size={12} aria-hidden />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  ) : (
    <span className={styles.link} tabIndex={rest ? 0 : undefined}>
      {text}
    </span>
  );
  if (!rest) return content;
  return (
    <Tooltip
      label={page}
      multiline
      maw={480}
      events={{ hover: true, focus: true, touch: true }}
      className={styles.whole}
    >
      {content}
    </Tooltip>
  );
}
