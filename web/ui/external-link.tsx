import { ExternalLink as Icon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './external-link.module.css';
import hidden from './hidden.module.css';

interface ExternalLinkProps {
  href: string;
  /** What the page is about, for screen readers, unless the text says it. */
  of?: string;
  children: ReactNode;
}

/** A link to a page of another site, in a new tab. */
export function ExternalLink({ href, of, children }: ExternalLinkProps) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <NewTabIcon note={of && `of ${of}`} />
    </a>
  );
}

/** The mark at the end of a link that opens in a new tab. `note` is read by screen readers only. */
export function NewTabIcon({ note }: { note?: string | undefined }) {
  return (
    <>
      <Icon size={12} aria-hidden />
      <span className={hidden.hidden}>{note && ` ${note}`} (opens in a new tab)</span>
    </>
  );
}
