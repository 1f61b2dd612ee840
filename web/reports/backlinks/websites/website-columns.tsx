import { Bell, Ellipsis, FileText, FileX2, History, type LucideIcon, Tag, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Website } from '#shared/reports/websites.ts';
import { RiskBadge } from '../../../blacklist/domains/domains.tsx';
import { paths } from '../../../paths.ts';
import { formatCount } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Menu, menuItem } from '../../../ui/menu.tsx';
import buttons from '../../../ui/menu-button.module.css';
import { TextLink } from '../../../ui/screen.tsx';
import type { Column } from '../../../ui/table.tsx';
import { WatchStatus } from '../../watch/watch.tsx';
import { useScreenState } from '../screen.ts';
import { Sparkline } from '../sparkline.tsx';
import { compareToxicity, DeltaText, formatToxicity } from '../toxicity.tsx';
import { TagList } from './tags.tsx';
import styles from './website-list.module.css';

/** What the list does with a website. */
export interface WebsiteHandlers {
  onUpload(website: Website): void;
  /** Shows all reports of the website. */
  onShow(website: Website): void;
  onTag(tag: string): void;
  onEditTags(website: Website): void;
  onWatch(website: Website): void;
  onDelete(website: Website): void;
}

/** The columns of the list of websites. */
export function getColumns(handlers: WebsiteHandlers): Column<Website>[] {
  return [
    {
      name: 'Website',
      onCard: 'title',
      cell: (website) => <WebsiteCell website={website} handlers={handlers} />,
    },
    { name: 'Last report', width: '112px', cell: (website) => <LastReport website={website} /> },
    {
      name: 'Toxicity',
      width: 'clamp(214px, 46vw - 257px, 420px)',
      cell: (website) => <WebsiteToxicity website={website} />,
    },
    {
      name: 'New toxic',
      width: '88px',
      isNumber: true,
      cell: ({ newToxicDomains }) => (newToxicDomains === null ? <NoValue /> : formatCount(newToxicDomains)),
    },
    { name: 'To review', width: '104px', isNumber: true, cell: (website) => <OpenReviews website={website} /> },
    {
      name: 'Actions',
      width: '204px',
      onCard: 'actions',
      cell: (website) => <Actions website={website} handlers={handlers} />,
    },
  ];
}

const NoValue = () => (
  <span data-quiet>
    <span aria-hidden>–</span>
    <span className={hidden.hidden}>None</span>
  </span>
);

function WebsiteCell({ website, handlers }: { website: Website; handlers: WebsiteHandlers }) {
  const { id, domain, tags } = website;
  const { search } = useScreenState();
  return (
    <div className={styles.website}>
      <TextLink to={paths.riskAssessment} search={{ ...search, profile: id }} size="sm" fw={550} data-mono>
        {domain}
      </TextLink>
      <TagList tags={tags} onChoose={handlers.onTag} />
      <WatchStatus website={website} onUpload={() => handlers.onUpload(website)} isShort />
    </div>
  );
}

function LastReport({ website: { domain, lastReport } }: { website: Website }) {
  if (!lastReport) return <span data-quiet>No reports yet</span>;
  return (
    <TextLink to={paths.report} params={{ id: String(lastReport.id) }} size="sm">
      <DateText value={lastReport.dateCreated} />
      <span className={hidden.hidden}>, last report on {domain}</span>
    </TextLink>
  );
}

function WebsiteToxicity({ website: { lastReport, trend } }: { website: Website }) {
  const current = trend.at(-1);
  if (!lastReport || !current) return <NoValue />;
  const delta = compareToxicity(current, trend.at(-2));
  return (
    <div className={styles.toxicity}>
      <div className={styles.trend}>
        {trend.some(({ toxicityPercentage }) => toxicityPercentage !== null) && <Sparkline trend={trend} />}
      </div>
      <b>{formatToxicity(current)}</b>
      <RiskBadge level={lastReport.toxicityRating} of="Toxicity" />
      <span data-quiet>{delta ? <DeltaText delta={delta} /> : 'First report'}</span>
    </div>
  );
}

function OpenReviews({ website: { lastReport, openReviews, listedDomains } }: { website: Website }) {
  if (!lastReport || listedDomains === 0) return <NoValue />;
  const text = `${formatCount(openReviews)} of ${formatCount(listedDomains)}`;
  if (openReviews === 0) return <span data-quiet>{text}</span>;
  return (
    <TextLink
      to={paths.report}
      params={{ id: String(lastReport.id) }}
      search={{ decision: 'undecided' }}
      size="sm"
      aria-label={`${text} to review`}
    >
      {text}
    </TextLink>
  );
}

function Actions({ website, handlers }: { website: Website; handlers: WebsiteHandlers }) {
  const { id, domain, lastReport } = website;
  return (
    <div className={styles.actions}>
      <Button
        size="xs"
        variant="default"
        onClick={() => handlers.onUpload(website)}
        aria-label={`Upload Backlinks for ${domain}`}
      >
        Upload Backlinks
      </Button>
      <Menu label={`More actions for ${domain}`} button={<Ellipsis size={16} aria-hidden />} buttonClass={buttons.more}>
        {lastReport && (
          <TextLink
            role="menuitem"
            tabIndex={-1}
            className={menuItem}
            underline="never"
            to={paths.report}
            params={{ id: String(lastReport.id) }}
          >
            <FileText size={15} aria-hidden />
            Open last report
          </TextLink>
        )}
        <Item Icon={History} onClick={() => handlers.onShow(website)}>
          All reports
        </Item>
        <TextLink
          role="menuitem"
          tabIndex={-1}
          className={menuItem}
          underline="never"
          to={paths.disavow}
          params={{ id: String(id) }}
        >
          <FileX2 size={15} aria-hidden />
          Build disavow file
        </TextLink>
        <Item Icon={Bell} onClick={() => handlers.onWatch(website)}>
          Watch
        </Item>
        <Item Icon={Tag} onClick={() => handlers.onEditTags(website)}>
          Edit tags
        </Item>
        <Item Icon={Trash2} onClick={() => handlers.onDelete(website)}>
          Delete Profile
        </Item>
      </Menu>
    </div>
  );
}

interface ItemProps {
  Icon: LucideIcon;
  onClick(): void;
  children: ReactNode;
}

function Item({ Icon, onClick, children }: ItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={onClick}>
      <Icon size={15} aria-hidden />
      {children}
    </button>
  );
}
