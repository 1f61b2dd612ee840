import { Link } from '@tanstack/react-router';
import { Rss } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PublishedFormat } from '#shared/blacklist/published-list.ts';
import {
  type BlacklistUpdates,
  type PublicList,
  toMonthId,
  type UpdateMonth,
  updatesFeedPath,
} from '#shared/blacklist/updates.ts';
import { paths } from '../../paths.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { DocPage, PlainTable } from '../../ui/doc-page.tsx';
import hidden from '../../ui/hidden.module.css';
import styles from './updates-view.module.css';

const parts = {
  months: { id: 'changes', title: 'Changes by month' },
  lists: { id: 'lists', title: 'Public lists in this blacklist' },
  subscribe: { id: 'subscribe', title: 'Subscribe to this blacklist' },
} as const;

/** The content of the page of updates, rendered on the server and in the browser. */
export function UpdatesView({ updates: { months, lists, published } }: { updates: BlacklistUpdates }) {
  return (
    <DocPage
      head={<Head />}
      parts={[parts.months, parts.lists, ...(published ? [parts.subscribe] : [])]}
      className={styles.text ?? ''}
    >
      <Part {...parts.months}>
        {months.length > 0 ? (
          <Months months={months} />
        ) : (
          <p className={styles.empty}>No list or import has changed the blacklist in the last 24 months.</p>
        )}
      </Part>
      <Part {...parts.lists}>
        {lists.length > 0 ? (
          <Lists lists={lists} />
        ) : (
          <p className={styles.empty}>This installation does not use a public list yet.</p>
        )}
      </Part>
      {published && (
        <Part {...parts.subscribe}>
          <Subscribe published={published} />
        </Part>
      )}
    </DocPage>
  );
}

/** Shown by the server while the database does not respond. */
export function UpdatesUnknown() {
  return (
    <DocPage head={<Head />} parts={[]} className={styles.text ?? ''}>
      <p className={styles.unknown}>The updates are not available right now. Please reload this page in a minute.</p>
    </DocPage>
  );
}

function Head() {
  return (
    <>
      <h1>Updates</h1>
      <p className={styles.lead}>
        What was added to and removed from the blacklist each month, and the public lists that it contains. See the{' '}
        <Link to={paths.methodology}>methodology</Link> for what a listing means.
      </p>
      <a href={updatesFeedPath} className={styles.feed}>
        <Rss size={15} aria-hidden />
        Atom feed
      </a>
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Months whose lists are shown without a click. */
const openMonths = 2;

function Months({ months }: { months: readonly UpdateMonth[] }) {
  return (
    <>
      <p className={styles.note}>
        A domain that is in several lists is added once. Single changes, such as approved submissions and appeals, are
        not counted. Months are in UTC.
      </p>
      {months.map((month, index) => (
        <Month key={month.month} month={month} isOpen={index < openMonths} />
      ))}
    </>
  );
}

function Month({ month, isOpen }: { month: UpdateMonth; isOpen: boolean }) {
  const id = toMonthId(month.month);
  const { added, removed, lists, imports, imported } = month;
  const sources = [
    ...(lists.length > 0 ? [plural(lists.length, 'list')] : []),
    ...(imports > 0 ? [plural(imports, 'import')] : []),
  ].join(' and ');
  return (
    <section id={id} className={styles.month} aria-labelledby={`${id}-title`}>
      <div className={styles.monthHead}>
        <h3 id={`${id}-title`}>{formatMonth(month.month)}</h3>
        <p className={styles.totals}>
          <span className={styles.added} data-none={added === 0 || undefined}>
            {plural(added, 'domain')} added
          </span>
          <span className={styles.removed} data-none={removed === 0 || undefined}>
            {formatCount(removed)} removed
          </span>
        </p>
      </div>
      {sources !== '' && (
        <details open={isOpen}>
          <summary>
            {sources}
            <span className={hidden.hidden}> of {formatMonth(month.month)}</span>
          </summary>
          <PlainTable
            label={`Changes in ${formatMonth(month.month)}`}
            columns={['List', 'Added', 'Removed']}
            className={styles.table}
          >
            {lists.map((list) => (
              <tr key={`${list.kind} ${list.name}`}>
                <th scope="row">
                  <ListName list={list} />
                </th>
                <Change count={list.added} />
                <Change count={list.removed} />
              </tr>
            ))}
            {imports > 0 && (
              <tr>
                <th scope="row">{plural(imports, 'import')} by admins</th>
                <Change count={imported} />
                <Change count={0} />
              </tr>
            )}
          </PlainTable>
        </details>
      )}
    </section>
  );
}

function Change({ count }: { count: number }) {
  return <td data-none={count === 0 || undefined}>{formatCount(count)}</td>;
}

/** The name of a list with its homepage, and whether it protects its domains instead of listing them. */
function ListName({ list: { name, homepage, kind } }: { list: Pick<PublicList, 'name' | 'homepage' | 'kind'> }) {
  return (
    <>
      {homepage ? (
        <a href={homepage} rel="noopener">
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
      {kind === 'allow' && (
        <>
          {' '}
          <span className={styles.kind}>protects sites</span>
        </>
      )}
    </>
  );
}

function Lists({ lists }: { lists: readonly PublicList[] }) {
  return (
    <>
      <p>
        These lists are published by others under their own licenses. A list that protects sites keeps its domains off
        the blacklist.
      </p>
      <PlainTable
        label={parts.lists.title}
        columns={['List', 'License', 'Domains', 'Last update']}
        className={`${styles.table} ${styles.lists}`}
      >
        {lists.map((list) => (
          <tr key={`${list.kind} ${list.name}`}>
            <th scope="row">
              <ListName list={list} />
            </th>
            <td>{list.licence ?? 'License not stated'}</td>
            <td>
              {formatCount(list.domains)}
              <span className={styles.unit}> {list.domains === 1 ? 'domain' : 'domains'}</span>
            </td>
            <td>{list.lastSuccessAt ? <DateText value={list.lastSuccessAt} /> : 'Not yet'}</td>
          </tr>
        ))}
      </PlainTable>
    </>
  );
}

const formats: Record<PublishedFormat, { title: string; use: string }> = {
  plain: {
    title: 'Plain list',
    use: 'One name per line. To subscribe from another Linksieve installation, add this address under Feeds.',
  },
  csv: {
    title: 'CSV',
    use: 'Contains the risk level, the confidence, the number of independent sources, and the date of listing.',
  },
  adblock: {
    title: 'uBlock Origin and other ad blockers',
    use: 'Your ad blocker warns you before you open a listed site. In uBlock Origin, open Settings, then Filter lists, choose Import, and paste this address.',
  },
  ublacklist: {
    title: 'uBlacklist',
    use: 'Hides listed sites from search results. In the options of uBlacklist, choose Add a subscription, and paste this address.',
  },
};

function Subscribe({ published }: { published: NonNullable<BlacklistUpdates['published']> }) {
  return (
    <>
      <p>
        This installation publishes the domains that public sources list, for other installations and for browser
        extensions. The lists above keep their licenses.
      </p>
      <ul className={styles.formats}>
        {published.map(({ format, url }) => (
          <li key={format}>
            <h3>{formats[format].title}</h3>
            <p>{formats[format].use}</p>
            <div className={styles.address}>
              <a href={url}>{url}</a>
              <CopyButton value={url} label={`Copy the address: ${formats[format].title}`} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

const monthNames = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** 'November 2026' */
const formatMonth = (month: string) => monthNames.format(new Date(`${month}-01T00:00:00Z`));
