import { Anchor, Tooltip } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import styles from './harmful-backlinks.module.css';
import { cutPage, linkOf } from './referring-page.ts';

/** A referring page, cut at 50 characters, whole on hover and focus. Its link tells the page nothing about us. */
export function ReferringPage({ page }: { page: string }) {
  const shown = cutPage(page);
  const href = linkOf(page);
  const isCut = shown !== page;
  const content = href ? (
    <Anchor
      className={styles.link}
      inherit
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={`${page} (opens in a new tab)`}
    >
      {shown}
      <ExternalLink size={12} aria-hidden />
    </Anchor>
  ) : (
    <span tabIndex={isCut ? 0 : undefined}>{shown}</span>
  );
  if (!isCut) return content;
  return (
    <Tooltip
      label={page}
      multiline
      maw={480}
      events={{ hover: true, focus: true, touch: true }}
      className={styles.page}
    >
      {content}
    </Tooltip>
  );
}
