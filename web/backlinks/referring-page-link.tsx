import { Anchor, Tooltip, VisuallyHidden } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import styles from './harmful-backlinks.module.css';
import { cutPage, linkOf } from './referring-page.ts';

/** A referring page, cut at 50 characters, whole on hover and focus. Its link tells the page nothing about us. */
export function ReferringPage({ page }: { page: string }) {
  const { shown, rest } = cutPage(page);
  const href = linkOf(page);
  const content = href ? (
    <Anchor className={styles.link} inherit href={href} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
      <span className={styles.end}>
        {rest && <Rest text={rest} />}&nbsp;
        <ExternalLink size={12} aria-hidden />
      </span>
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  ) : (
    <span className={styles.link} tabIndex={rest ? 0 : undefined}>
      {shown}
      {rest && <Rest text={rest} />}
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
      // Stays inside the page's landmarks, and is not cut by the frame that scrolls.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      {content}
    </Tooltip>
  );
}

/** What the cut left out, for people who do not see the ellipsis. */
function Rest({ text }: { text: string }) {
  return (
    <>
      <span aria-hidden>…</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </>
  );
}
