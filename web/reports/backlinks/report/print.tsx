import { useMutation } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ToxicDomain } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useOrigin } from '../../../ui/served.ts';
import { PrintedDomainTable } from './domain-list.tsx';
import type { DomainPage } from './domain-results.tsx';
import styles from './print.module.css';
import { listChips } from './review-filters.tsx';
import { type ReportScreen, type ReviewFilter, rowsPerPage, toFilter } from './screen.ts';
import type { ReportSource } from './source.ts';

/** Most domains on paper. Files contain all of them. */
const maxPrintedDomains = 2000;
const rowsPerRequest = 100;

/** Loads the domains that match the filter and opens the print dialog of the browser. */
export function usePrint({ source, search }: ReportScreen) {
  const filter = toFilter(search);
  const list = JSON.stringify(filter);
  const [loaded, setLoaded] = useState<{ list: string; rows: readonly ToxicDomain[] }>();
  const load = useMutation({
    mutationFn: () => loadRows(source, filter),
    onSuccess: (rows) => setLoaded({ list, rows }),
  });
  useEffect(() => {
    if (loaded) window.print();
  }, [loaded]);
  useLightPaper();
  return {
    start: () => load.mutate(),
    isLoading: load.isPending,
    error: load.error,
    /** The domains to print; undefined until they are loaded for this filter. */
    rows: loaded?.list === list ? loaded.rows : undefined,
  };
}

export type Print = ReturnType<typeof usePrint>;

async function loadRows(source: ReportSource, filter: ReviewFilter): Promise<ToxicDomain[]> {
  const rows: ToxicDomain[] = [];
  let asOf: number | undefined;
  for (let page = 0; rows.length < maxPrintedDomains; page += 1) {
    const loaded = await source.listDomains({ ...filter, asOf, page, pageSize: rowsPerRequest });
    rows.push(...loaded.domains);
    asOf ??= loaded.asOf;
    if (page + 1 >= loaded.pagination.totalPages) break;
  }
  return rows;
}

/** Prints dark screens in the colors of the light theme. */
function useLightPaper(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const scheme = dataset.mantineColorScheme;
    let before = scheme;
    const toLight = () => {
      before = dataset.mantineColorScheme;
      dataset.mantineColorScheme = 'light';
    };
    const restore = () => {
      if (before !== undefined) dataset.mantineColorScheme = before;
    };
    window.addEventListener('beforeprint', toLight);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('beforeprint', toLight);
      window.removeEventListener('afterprint', restore);
    };
  }, []);
}

export function PrintButton({ print: { start, isLoading, error } }: { print: Print }) {
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Printer size={14} aria-hidden />}
        loading={isLoading}
        onClick={start}
      >
        Print or save as PDF
      </Button>
      <FormError error={error} style={{ order: 1 }} />
    </>
  );
}

/** On paper only: the day on which the report is printed. */
export function PrintDate() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    // The browser takes its picture of the page right after this event.
    const update = () => flushSync(() => setNow(new Date()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return (
    <p className={styles.date}>
      Printed <DateText value={now.toISOString()} pattern="long" />
    </p>
  );
}

interface PrintedDomainsProps {
  screen: ReportScreen;
  domainPage: DomainPage;
  /** The loaded domains; undefined if the user prints with the menu of the browser. */
  rows: readonly ToxicDomain[] | undefined;
  /** Whether the reader can download the files of the report. */
  hasFiles?: boolean;
}

/** On paper only: all domains that match the filter. */
export function PrintedDomains({ screen, domainPage, rows, hasFiles = false }: PrintedDomainsProps) {
  const shown = rows ?? domainPage.rows;
  const { page, total = 0 } = domainPage;
  const filters = listChips(screen.search).map(({ text }) => text);
  return (
    <div className={styles.paper}>
      <h2>Toxic domains</h2>
      <p>
        {filters.length > 0
          ? `${plural(total, 'domain')} with these filters: ${filters.join('; ')}.`
          : `${plural(total, 'domain')} on the blacklist.`}
        {rows && rows.length < total && (
          <>
            {' '}
            This print lists the first {formatCount(rows.length)}.
            {hasFiles && ' The CSV and Excel files of the report contain all domains.'}
          </>
        )}
        {!rows && total > shown.length && (
          <>
            {' '}
            This print lists domains {formatCount(page * rowsPerPage + 1)} to{' '}
            {formatCount(page * rowsPerPage + shown.length)}. To print all, use “Print or save as PDF” on the page.
          </>
        )}
      </p>
      <PrintedDomainTable rows={shown} />
    </div>
  );
}

/** On paper only: how the report was made, at this time. */
export function PrintedMethod({ dateCreated }: { dateCreated: string }) {
  return (
    <section className={`${styles.paper} ${styles.method}`}>
      <h2>Method</h2>
      <p>
        This report compares an export of backlinks with the Linksieve blacklist of domains that sell backlinks, as it
        was on <DateText value={dateCreated} pattern="long" />. Toxicity is the share of the referring domains that are
        on the blacklist. The risk of a domain depends on how many independent sources list it: low for one, medium for
        two or three, high for four, very high for five or more. Admins can set another level. The confidence rates the
        evidence of these sources. A listing is not proof that a particular link was paid for. Decisions are those of
        the owner of the report.
      </p>
      <p>Full method: {`${useOrigin()}${paths.methodology}`}</p>
    </section>
  );
}
