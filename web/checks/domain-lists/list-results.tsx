import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { DomainList, ListedDomain, ListResult } from '#shared/checks/domain-lists.ts';
import { useSession } from '../../accounts/sessions/session.tsx';
import { ConfidenceBadge, RiskBadge, SourceCount } from '../../blacklist/domains/domains.tsx';
import { DomainListings } from '../../blacklist/sources/listings.tsx';
import { paths } from '../../paths.ts';
import { DateText } from '../../ui/date-text.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import { NoResults, ResultFilters } from './list-filters.tsx';
import styles from './list-results.module.css';
import { formatPrice, isValid, selectResults } from './results.ts';
import type { CheckScreen } from './screen.ts';

const pageSize = 50;

/** The results of a list that match the filters, one page at a time. */
export function ListResults({ list, screen }: { list: DomainList; screen: CheckScreen }) {
  const { user } = useSession();
  const [open, setOpen] = useState<string>();
  const id = useId();
  const results = selectResults(list.results, screen.search);
  const lastPage = Math.max(1, Math.ceil(results.length / pageSize));
  const page = Math.min(screen.search.page ?? 1, lastPage);
  const evidence: Column<ListResult> = {
    name: 'Evidence',
    width: '190px',
    hasValue: isListed,
    cell: (result) =>
      isListed(result) && (
        <Evidence
          result={result}
          {...(user && {
            panelId: `${id}-${result.domain}`,
            isOpen: open === result.domain,
            onToggle: () => setOpen(open === result.domain ? undefined : result.domain),
          })}
        />
      ),
  };
  const hasPrices = list.results.some(({ price }) => price !== null);
  const columns = [
    nameColumn,
    verdictColumn,
    confidenceColumn,
    evidence,
    ...(hasPrices ? [quotedColumn] : []),
    knownColumn,
  ];
  return (
    <section aria-label="Results" className={styles.results}>
      <ResultFilters list={list} screen={screen} />
      {results.length === 0 ? (
        <NoResults screen={screen} />
      ) : (
        <Table
          label="Results"
          columns={columns}
          rows={results.slice((page - 1) * pageSize, page * pageSize)}
          getRowKey={({ domain }) => domain}
          renderBelow={(result) =>
            user &&
            open === result.domain &&
            isListed(result) && (
              <div id={`${id}-${result.domain}`} className={styles.panel}>
                <DomainListings id={result.domainId ?? 0} />
              </div>
            )
          }
        />
      )}
      <Pagination
        page={page - 1}
        pageSize={pageSize}
        total={results.length}
        label="Pages of results"
        onChange={(next) => void screen.goToPage(next + 1)}
      />
    </section>
  );
}

const isListed = (result: ListResult): result is ListedDomain => isValid(result) && result.listed;

const nameColumn: Column<ListResult> = {
  name: 'Domain',
  onCard: 'title',
  cell: (result) => (
    <>
      {isValid(result) ? (
        <Link to={paths.domainPage} params={{ name: result.domain }} preload={false} className={styles.name} data-mono>
          <Breakable>{result.domain}</Breakable>
        </Link>
      ) : (
        <span data-mono dir="auto">
          {result.domain}
        </span>
      )}
      {isListed(result) && result.matchedDomain !== result.domain && (
        <div className={styles.note}>
          Listed through <span data-mono>{result.matchedDomain}</span>
        </div>
      )}
    </>
  ),
};

const verdictColumn: Column<ListResult> = {
  name: 'Verdict',
  width: '172px',
  cell: (result) => {
    if (!isValid(result)) {
      return (
        <>
          Invalid
          <div className={styles.note}>{result.error}</div>
        </>
      );
    }
    return result.riskLevel ? <RiskBadge level={result.riskLevel} /> : 'Not listed';
  },
};

const confidenceColumn: Column<ListResult> = {
  name: 'Confidence',
  width: '124px',
  hasValue: isListed,
  cell: (result) => isListed(result) && result.confidence && <ConfidenceBadge confidence={result.confidence} />,
};

const comparisons = {
  below: 'Below known offers',
  within: 'Within known offers',
  above: 'Above known offers',
} as const;

const quotedColumn: Column<ListResult> = {
  name: 'Quoted price',
  width: '150px',
  isNumber: true,
  hasValue: ({ price }) => price !== null,
  cell: (result) => (
    <>
      <bdi>{result.priceRange ? formatPrice(result.priceRange) : result.price}</bdi>
      {isValid(result) && result.priceComparison && (
        <div className={styles.note} data-comparison={result.priceComparison}>
          {comparisons[result.priceComparison]}
        </div>
      )}
    </>
  ),
};

const knownColumn: Column<ListResult> = {
  name: 'Known offers',
  width: '140px',
  isNumber: true,
  hasValue: (result) => isValid(result) && result.knownPrices.length > 0,
  cell: (result) =>
    isValid(result) && (
      <bdi title={result.knownPrices.join(', ')}>
        {result.knownPriceRange ? formatPrice(result.knownPriceRange) : result.knownPrices[0]}
      </bdi>
    ),
};

interface EvidenceProps {
  result: ListedDomain;
  panelId?: string;
  isOpen?: boolean;
  /** Shows or hides the listings, which only signed-in users can load here. */
  onToggle?: () => void;
}

/** The number of sources and since when, and the way to the listings. */
function Evidence({ result, panelId, isOpen = false, onToggle }: EvidenceProps): ReactNode {
  const { domain, firstListedAt } = result;
  return (
    <>
      <SourceCount {...result} />
      <div className={styles.note}>
        Since <DateText value={firstListedAt} missing="Unknown" />
      </div>
      {onToggle && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          aria-label={`${isOpen ? 'Hide' : 'Show'} evidence for ${domain}`}
          onClick={onToggle}
        >
          {isOpen ? 'Hide evidence' : 'Show evidence'}
        </button>
      )}
    </>
  );
}
