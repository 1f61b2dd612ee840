import { useDisclosure } from '@mantine/hooks';
import { Download, FileSpreadsheet, FileX2, Link2, type LucideIcon } from 'lucide-react';
import { countOfRisk } from '#shared/blacklist/domains.ts';
import { exportDomainsCsv, exportDomainsXlsx, exportHarmfulBacklinks, type Report } from '#shared/reports/reports.ts';
import { buildUrl } from '../../../platform/api.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { exportFailed, useDownload } from '../../../ui/download-button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Menu, menuItem } from '../../../ui/menu.tsx';
import { exportStarted } from '../screen.ts';
import styles from './export-menu.module.css';
import { type ReportScreen, toFilter } from './screen.ts';

const DisavowDialog = lazyPart(() => import('./disavow-dialog.tsx'), 'DisavowDialog');

interface ExportMenuProps {
  screen: ReportScreen;
  report: Report;
  /** All listed domains of the report. */
  domains: number;
  /** Those that match the filter; undefined until it is known. */
  matching: number | undefined;
}

/** The files of a report. They follow the filters of the list, and say how much of the report they contain. */
export function ExportMenu({ screen, report, domains, matching = domains }: ExportMenuProps) {
  const { riskLevel, lost } = screen.search;
  const download = useDownload(exportStarted);
  const [isDisavowing, disavow] = useDisclosure(false);
  const filter = toFilter(screen.search);
  const { harmfulBacklinks, riskCounts } = (lost && report.includingLost) || report;
  const backlinks = riskLevel ? countOfRisk(riskCounts, riskLevel) : harmfulBacklinks;
  const params = { id: report.id };
  const files = [
    {
      name: 'Domains as CSV',
      extent: describeExtent(matching, domains, 'domain'),
      url: buildUrl(exportDomainsCsv, params, filter),
      Icon: Download,
    },
    {
      name: 'Domains as Excel',
      extent: describeExtent(matching, domains, 'domain'),
      url: buildUrl(exportDomainsXlsx, params, filter),
      Icon: FileSpreadsheet,
    },
    {
      name: 'Harmful backlinks as CSV',
      extent: describeExtent(backlinks, harmfulBacklinks, 'backlink'),
      url: buildUrl(exportHarmfulBacklinks, params, { riskLevel, lost }),
      Icon: Link2,
    },
  ];
  const button = (
    <>
      <Download size={14} aria-hidden />
      Export
    </>
  );
  return (
    <>
      <div className={styles.place}>
        {' '}
        <Menu label="Export" button={button} buttonClass={styles.button}>
          {files.map(({ url, ...file }) => (
            <Item key={file.name} {...file} onChoose={() => download.mutate({ url })} />
          ))}
          <Item
            name="Quick disavow file"
            extent="Not merged with your current file"
            Icon={FileX2}
            onChoose={disavow.open}
          />
        </Menu>
      </div>
      <LazyDialog opened={isDisavowing}>
        {(opened) => (
          // Another report or another filter has other domains, so the selection starts again.
          <DisavowDialog
            key={`${report.id} ${lost} ${riskLevel}`}
            report={report}
            filter={{ lost, riskLevel }}
            opened={opened}
            onClose={disavow.close}
          />
        )}
      </LazyDialog>
      <FormError error={download.error && { message: exportFailed }} style={{ order: 1 }} />
    </>
  );
}

interface ItemProps {
  name: string;
  /** What the file contains. */
  extent: string;
  Icon: LucideIcon;
  onChoose(): void;
}

function Item({ name, extent, Icon, onChoose }: ItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={onChoose}>
      <Icon size={16} aria-hidden />
      <span>
        {name}
        <span className={styles.extent}>{extent}</span>
      </span>
    </button>
  );
}

/** 'Export 12 of 100 domains', 'Export all 100 domains', 'Export 1 domain' */
function describeExtent(count: number, all: number, noun: string): string {
  if (count < all) return `Export ${formatCount(count)} of ${plural(all, noun)}`;
  return all === 1 ? `Export 1 ${noun}` : `Export all ${plural(all, noun)}`;
}
