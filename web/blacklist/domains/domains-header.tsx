import { useQuery } from '@tanstack/react-query';
import { Download, FileUp, Plus, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type RiskCounts as Counts,
  countOfRisk,
  exportDomains,
  isFiltered,
  riskLevels,
} from '#shared/blacklist/domains.ts';
import { paths } from '../../paths.ts';
import { buildUrl } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { Button, ButtonAnchor, ButtonLink, Spinner } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import hidden from '../../ui/hidden.module.css';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import type { Import } from '../imports/imports.tsx';
import { RiskDots, riskLabels, riskSources } from './domains.tsx';
import styles from './domains-header.module.css';
import { countsQuery, type ListQuery } from './queries.ts';
import { type DomainsScreen, toListQuery } from './search.ts';

interface DomainsHeaderProps {
  screen: DomainsScreen;
  /** The admin's import. Undefined for users who cannot change the blacklist. */
  importer: Import | undefined;
  /** Number of domains in the whole blacklist; undefined until loaded. */
  total: number | undefined;
  /** When the blacklist was last changed; null for an empty one. */
  lastUpdated: string | null | undefined;
}

/** The heading, the size and last update of the blacklist, and its main buttons. */
export function DomainsHeader({ screen, importer, total, lastUpdated }: DomainsHeaderProps) {
  return (
    <div className={styles.header}>
      <div>
        <h1>Blacklist</h1>
        <p className={styles.facts}>
          {total !== undefined && <span>{plural(total, 'domain')}</span>}
          {lastUpdated && (
            <span>
              Database updated <DateText value={lastUpdated} />
            </span>
          )}
        </p>
      </div>
      <div className={styles.buttons}>
        <ButtonLink to={paths.riskAssessment} variant="default" leftSection={<ShieldCheck size={16} aria-hidden />}>
          Check your backlinks
        </ButtonLink>
        {importer && (
          <>
            <Button
              variant="default"
              leftSection={importer.isBusy ? <Spinner /> : <FileUp size={16} aria-hidden />}
              onClick={() => screen.open('import')}
            >
              {importer.isBusy && importer.percent !== undefined
                ? `${importer.job?.dryRun ? 'Checking' : 'Importing'} ${importer.percent}%`
                : 'Import CSV'}
            </Button>
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => screen.open('add')}>
              Add Domain
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface RiskCountsProps {
  screen: DomainsScreen;
  query: ListQuery;
  /** The counts of the whole blacklist; undefined until loaded. */
  all: Counts | undefined;
}

/**
 * The number of matches per risk level, whatever level the filter has. Each number is a button that filters by its
 * level. The old numbers are dimmed while those of a changed filter load.
 */
export function RiskCounts({ screen, query, all }: RiskCountsProps) {
  const { riskLevel } = screen.search;
  const isNarrowed = query.list !== undefined || isFiltered({ ...query, riskLevel: undefined });
  const { data, isError, isPlaceholderData } = useQuery({ ...countsQuery(query), enabled: isNarrowed });
  const isStale = isNarrowed && !isError && (!data || isPlaceholderData);
  const counts = isNarrowed && (data || isError) ? data : all;
  return (
    <fieldset
      className={styles.counts}
      aria-busy={isStale}
      data-stale={isStale || undefined}
      data-narrowed={isNarrowed || undefined}
    >
      <legend className={hidden.hidden}>Domains by risk level</legend>
      {riskLevels.toReversed().map((level) => (
        <button
          type="button"
          key={level}
          className={styles.count}
          data-level={level}
          title={riskSources[level]}
          aria-pressed={riskLevel === level}
          onClick={() => screen.show({ riskLevel: riskLevel === level ? undefined : level })}
        >
          <RiskDots level={level} />
          <span className={styles.level}>{riskLabels[level]}</span>
          <span className={styles.number}>
            {counts ? formatCount(countOfRisk(counts, level)) : '–'}
            {isNarrowed && counts && all && counts !== all && (
              <span className={styles.all}> of {formatCount(countOfRisk(all, level))}</span>
            )}
          </span>
        </button>
      ))}
    </fieldset>
  );
}

interface ListBarProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  /** Number of domains that match the filter; undefined until loaded. */
  total: number | undefined;
  /** Number of domains in the whole blacklist; undefined until loaded. */
  blacklistTotal: number | undefined;
  /** The actions for the selected domains, if any. */
  children: ReactNode;
}

const ViewMenu = lazyPart(() => import('./view-menu.tsx'), 'ViewMenu');

/** The bar above the list: the number of domains or the actions for the selection, the export and the view. */
export function ListBar({ screen, isAdmin, total, blacklistTotal, children }: ListBarProps) {
  const hasFilter = screen.search.list !== undefined || isFiltered(screen.search);
  return (
    <div className={styles.bar} data-selecting={Boolean(children) || undefined} data-filtered={hasFilter || undefined}>
      <div className={styles.side}>
        {children ||
          (total !== undefined && plural(total, hasFilter ? 'match' : 'domain', hasFilter ? 'matches' : 'domains'))}
      </div>
      {total !== undefined && total > 0 && screen.search.list === undefined && (
        <ButtonAnchor
          size="xs"
          variant="subtle"
          leftSection={<Download size={15} aria-hidden />}
          href={exportUrl(screen, isAdmin)}
          download
          onClick={() => toastSuccess('Export Started', `Downloading ${plural(total, 'domain')} as CSV.`)}
        >
          {exportLabel(total, blacklistTotal, hasFilter)}
        </ButtonAnchor>
      )}
      <div className={styles.view}>
        <MenuButton label="Display" button="Display" buttonClass={styles.viewButton}>
          {(opener) => <ViewMenu isAdmin={isAdmin} opener={opener} />}
        </MenuButton>
      </div>
    </div>
  );
}

function exportUrl(screen: DomainsScreen, isAdmin: boolean): string {
  const { page: _, pageSize: __, ...query } = toListQuery(screen.search, isAdmin);
  return buildUrl(exportDomains, {}, query);
}

function exportLabel(total: number, blacklistTotal: number | undefined, hasFilter: boolean): string {
  if (!hasFilter) return `Export all ${formatCount(total)}`;
  return blacklistTotal === undefined
    ? `Export ${formatCount(total)} filtered`
    : `Export ${formatCount(total)} of ${formatCount(blacklistTotal)}`;
}
