import type { ReactNode } from 'react';
import type { Domain } from '#shared/domains.ts';
import { formatCount } from '../lib/format-count.ts';
import { DateText } from '../ui/date-text.tsx';
import { formatCost, missing } from './display.ts';
import styles from './domain-details.module.css';
import { SourceList } from './source-label.tsx';

/** What is known about a domain, label by label. Admins also see where it comes from. */
export function DomainFacts({ domain, isAdmin }: { domain: Domain; isAdmin: boolean }) {
  return (
    <dl className={styles.facts}>
      <Fact label="Niche">{domain.niche ?? missing}</Fact>
      <Fact label="Domain rating">{domain.domainRating ?? missing}</Fact>
      <Fact label="Outbound links">{domain.outboundLinks === null ? missing : formatCount(domain.outboundLinks)}</Fact>
      <Fact label="Cost">{formatCost(domain.cost)}</Fact>
      <Fact label="Date added">
        <DateText value={domain.dateAdded} pattern="long" missing="Unknown" />
      </Fact>
      <Fact label="Last updated">
        <DateText value={domain.lastUpdated} pattern="long" missing="Unknown" />
      </Fact>
      {isAdmin && (
        <>
          <Fact label="Added by">{domain.addedBy ?? missing}</Fact>
          <Fact label="Source" wide>
            <SourceList source={domain.source} />
          </Fact>
          <Fact label="Source details" wide>
            <Words text={domain.sourceDetails} />
          </Fact>
          <Fact label="Notes" wide>
            <Words text={domain.notes} />
          </Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact} data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function Words({ text }: { text: string | null | undefined }) {
  return text ? <span className={styles.words}>{text}</span> : missing;
}
