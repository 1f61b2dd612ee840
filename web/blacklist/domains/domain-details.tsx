import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, FileText, Flag, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Domain } from '#shared/blacklist/domains.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { formatCount } from '../../platform/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { DomainListings } from '../sources/listings.tsx';
import { formatCost, missing } from './domain-cells.tsx';
import styles from './domain-details.module.css';
import { ConfidenceBadge, RiskBadge, SourceCount } from './domains.tsx';
import { domainQuery } from './queries.ts';
import { ReportForm } from './report-form.tsx';
import { SourceList } from './source-label.tsx';

interface DomainDetailsProps {
  id: number;
  isAdmin: boolean;
  onEdit(): void;
  onDelete(domain: Domain): void;
}

/** The content of the domain details dialog. */
export function DomainDetails({ id, isAdmin, onEdit, onDelete }: DomainDetailsProps) {
  const query = useQuery(domainQuery(id, useQueryClient()));
  const { data: domain, error } = query;
  const [isReporting, setReporting] = useState(false);

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Domain not found" description="It may have been deleted from the blacklist." />;
  }
  if (!domain) return <QueryState query={query} height={320} />;

  return (
    <div className={styles.details}>
      <div className={styles.verdict}>
        <RiskBadge level={domain.riskLevel} />
        <ConfidenceBadge confidence={domain.confidence} />
        <SourceCount {...domain} />
      </div>
      {domain.description && (
        <p className={styles.text} dir="auto">
          {domain.description}
        </p>
      )}
      <DomainFacts domain={domain} isAdmin={isAdmin} />
      <section aria-labelledby="evidence">
        <h3 id="evidence" className={styles.heading}>
          Evidence
        </h3>
        <DomainListings id={domain.id} />
      </section>
      {isReporting ? (
        <ReportForm id={domain.id} onDone={() => setReporting(false)} />
      ) : (
        <div className={styles.buttons}>
          <Button
            variant="default"
            leftSection={<Copy size={15} aria-hidden />}
            onClick={() => void copyUrl(domain.domain)}
          >
            Copy URL
          </Button>
          <ButtonLink
            to={paths.domainPage}
            params={{ name: domain.domain }}
            preload={false}
            variant="default"
            leftSection={<FileText size={15} aria-hidden />}
          >
            Public page
          </ButtonLink>
          <Button variant="default" leftSection={<Flag size={15} aria-hidden />} onClick={() => setReporting(true)}>
            Report incorrect information
          </Button>
          {isAdmin && (
            <>
              <Button variant="default" leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
                Edit
              </Button>
              <Button
                variant="light"
                color="red"
                leftSection={<Trash2 size={15} aria-hidden />}
                onClick={() => onDelete(domain)}
              >
                Delete
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

async function copyUrl(name: string): Promise<void> {
  const isCopied = await copyText(`https://${name}`);
  if (isCopied) toastSuccess('URL copied', `https://${name}`);
  else toastError('Copy failed', 'Select the domain name and copy it manually.');
}

/** The fields of a domain. Admins also see its sources and notes. */
function DomainFacts({ domain, isAdmin }: { domain: Domain; isAdmin: boolean }) {
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
            <LongText text={domain.sourceDetails} />
          </Fact>
          <Fact label="Notes" wide>
            <LongText text={domain.notes} />
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

function LongText({ text }: { text: string | null | undefined }) {
  return text ? <span className={styles.longText}>{text}</span> : missing;
}
