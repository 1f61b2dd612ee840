import { useDisclosure } from '@mantine/hooks';
import {
  Bell,
  ChevronDown,
  Download,
  FileSpreadsheet,
  Link2,
  type LucideIcon,
  Printer,
  Share2,
  Trash2,
} from 'lucide-react';
import { countOfRisk } from '#shared/blacklist/domains.ts';
import { exportDomainsCsv, exportDomainsXlsx, exportHarmfulBacklinks, type Report } from '#shared/reports/reports.ts';
import { buildUrl } from '../../../platform/api.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { exportFailed, useDownload } from '../../../ui/download-button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Menu, menuItem } from '../../../ui/menu.tsx';
import { WatchDialog } from '../../watch/watch-button.tsx';
import { exportStarted } from '../screen.ts';
import { DeleteReport } from './delete-report.tsx';
import type { Print } from './print.tsx';
import styles from './report-menu.module.css';
import { type ReportScreen, toFilter } from './screen.ts';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog');

interface ReportMenuProps {
  screen: ReportScreen;
  report: Report;
  /** All listed domains of the report. */
  domains: number;
  /** Those that match the filter; undefined until it is known. */
  matching: number | undefined;
  /** Prints the page. Undefined in a preview, which has only the files. */
  print?: Print;
  /** Returns to the reports of the website. */
  onDeleted(): Promise<void>;
}

/**
 * What the owner can do with a report besides reviewing it. The files follow the filters of the list, and say how much
 * of the report they contain.
 */
export function ReportMenu({ screen, report, domains, matching = domains, print, onDeleted }: ReportMenuProps) {
  const { riskLevel, lost } = screen.search;
  const download = useDownload(exportStarted);
  const [isSharing, share] = useDisclosure(false);
  const [isWatching, watch] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
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
      Export and share
      <ChevronDown size={14} aria-hidden />
    </>
  );
  return (
    <>
      <div className={styles.place}>
        <Menu label="Export and share" button={button} buttonClass={styles.button}>
          {domains > 0 &&
            files.map(({ url, ...file }) => (
              <Item key={file.name} {...file} onChoose={() => download.mutate({ url })} />
            ))}
          {print && (
            <>
              <Item name="Print or save as PDF" Icon={Printer} onChoose={print.start} />
              <Item name="Share" extent="With readers who have no account" Icon={Share2} onChoose={share.open} />
              <Item name="Watch this website" extent="Alerts when a link turns bad" Icon={Bell} onChoose={watch.open} />
            </>
          )}
          <Item name="Delete report" Icon={Trash2} onChoose={deletion.open} />
        </Menu>
      </div>
      <FormError error={download.error && { message: exportFailed }} style={{ order: 1 }} />
      <FormError error={print?.error ?? null} style={{ order: 1 }} />
      <LazyDialog opened={isSharing}>
        {(opened) => <ShareDialog report={report} opened={opened} onClose={share.close} />}
      </LazyDialog>
      <WatchDialog
        website={{ id: report.profileId, domain: report.domain }}
        opened={isWatching}
        onClose={watch.close}
      />
      <DeleteReport report={report} opened={isDeleting} onClose={deletion.close} onDeleted={onDeleted} />
    </>
  );
}

interface ItemProps {
  name: string;
  /** What the file contains, or what the item is for. */
  extent?: string;
  Icon: LucideIcon;
  onChoose(): void;
}

function Item({ name, extent, Icon, onChoose }: ItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={onChoose}>
      <Icon size={16} aria-hidden />
      <span>
        {name}
        {extent && <span className={styles.extent}>{extent}</span>}
      </span>
    </button>
  );
}

/** 'Export 12 of 100 domains', 'Export all 100 domains', 'Export 1 domain' */
function describeExtent(count: number, all: number, noun: string): string {
  if (count < all) return `Export ${formatCount(count)} of ${plural(all, noun)}`;
  return all === 1 ? `Export 1 ${noun}` : `Export all ${plural(all, noun)}`;
}
