import { Title } from '@mantine/core';
import { Check, X } from 'lucide-react';
import type { Discovery } from '#shared/blacklist/discoveries.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Breakable } from '../../ui/text.tsx';
import styles from './discoveries.module.css';

interface DiscoveryCardProps {
  discovery: Discovery;
  /** Whether a decision is being sent. */
  isBusy: boolean;
  /** Why the decision failed. */
  error: Error | null;
  onDecide(status: 'accepted' | 'rejected'): void;
}

/** A site with the offer on its pages. Proposals have Accept and Reject buttons. */
export function DiscoveryCard({ discovery, isBusy, error, onDecide }: DiscoveryCardProps) {
  const { id, domain, status, quote, url, contactUrl, sponsoredShare, problem, seenAt } = discovery;
  return (
    <li className={styles.card} data-card={id}>
      <div className={styles.top}>
        <Title order={2} size="h3">
          <ExternalLink href={`https://${domain}/`}>
            <span data-mono>
              <Breakable>{domain}</Breakable>
            </span>
          </ExternalLink>
        </Title>
        {quote !== null && <span className={styles.price}>{toPriceText(discovery)}</span>}
      </div>
      {quote !== null && (
        <blockquote className={styles.quote} dir="auto">
          {quote}
        </blockquote>
      )}
      <p className={styles.facts}>
        <span>
          Visited <DateText value={seenAt} />
        </span>
        {url && <ExternalLink href={url}>{toPath(url)}</ExternalLink>}
        {contactUrl && (
          <ExternalLink href={contactUrl} of={domain}>
            Contact
          </ExternalLink>
        )}
        {sponsoredShare !== null && sponsoredShare > 0 && (
          <span>{Math.round(100 * sponsoredShare)}% of links marked as sponsored</span>
        )}
        {quote === null && <span>{problem === null ? 'No offer of links found' : `Not read: ${problem}`}</span>}
      </p>
      {status === 'proposed' && (
        <div className={styles.actions}>
          <Button
            data-decide="approve"
            aria-label={`Accept ${domain}`}
            aria-keyshortcuts="a"
            leftSection={<Check size={15} aria-hidden />}
            disabled={isBusy}
            onClick={() => onDecide('accepted')}
          >
            Accept
          </Button>
          <Button
            data-decide="reject"
            aria-label={`Reject ${domain}`}
            aria-keyshortcuts="r"
            variant="default"
            leftSection={<X size={15} aria-hidden />}
            disabled={isBusy}
            onClick={() => onDecide('rejected')}
          >
            Reject
          </Button>
        </div>
      )}
      <FormError error={error} />
    </li>
  );
}

function toPriceText({ price, currency }: Discovery): string {
  if (price === null || currency === null) return 'Price on request';
  return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 2 })
    .format(price)
    .replace(/\.00$/, '');
}

/** The path of a page, as a short name for it. */
function toPath(url: string): string {
  const { pathname } = new URL(url);
  if (pathname === '/') return 'Home page';
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
