import { useQuery } from '@tanstack/react-query';
import { Copy, Pencil, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { exportListCheck, type ListCheck } from '#shared/checks/list-checks.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { useIsServed } from '../../../ui/served.ts';
import { copyNames } from '../copy-names.ts';
import { domainsQuery, type ListQuery } from '../queries.ts';
import { type DomainsScreen, showAndFocus } from '../search.ts';
import styles from './name-list-summary.module.css';
import { splitNames } from './names.ts';
import { useStoredList } from './stored-lists.ts';

interface Props {
  screen: DomainsScreen;
  query: ListQuery;
  /** Keeps the place on a served page: the server does not know whether this browser has the list. */
  placeholder: ReactNode;
}

/** How many names of the pasted list are listed, and which are not. */
export function NameListSummary({ screen, query, placeholder }: Props) {
  const { data } = useQuery(domainsQuery(query));
  const text = useStoredList(query.list);
  const isServed = useIsServed();
  if (text === undefined) return isServed && placeholder;
  const check = data && isListCheck(data) ? data : undefined;
  return (
    <section className={styles.summary} aria-label="Pasted list">
      <div className={styles.top}>
        <div role="status">
          {check && (
            <h2 className={styles.title}>
              {formatCount(check.listed)} of {formatCount(check.total)} listed
            </h2>
          )}
        </div>
        <div className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Pencil size={14} aria-hidden />}
            onClick={() => screen.open('list')}
          >
            Edit list
          </Button>
          {check && (
            <DownloadButton
              size="xs"
              variant="default"
              url={exportListCheck.path}
              body={{ names: splitNames(text) }}
              started={`Downloading the results for ${plural(check.total, 'name')} as CSV.`}
            >
              Export results
            </DownloadButton>
          )}
          <Button
            size="xs"
            variant="subtle"
            leftSection={<X size={14} aria-hidden />}
            onClick={() => showAndFocus(screen, { list: undefined })}
          >
            Close list
          </Button>
        </div>
      </div>
      {check && <Details check={check} />}
    </section>
  );
}

/** The names that are not listed, listed through a parent domain, or not checked. */
function Details({ check: { unlisted, throughParent, invalid } }: { check: ListCheck }) {
  return (
    <div className={styles.details}>
      <Names title={`${formatCount(unlisted.length)} not listed`} count={unlisted.length} copied={unlisted}>
        {unlisted.map((name) => (
          <li key={name} data-mono>
            {name}
          </li>
        ))}
      </Names>
      <Names title={`${formatCount(throughParent.length)} listed through a parent domain`} count={throughParent.length}>
        {throughParent.map(({ domain, matchedDomain }) => (
          <li key={domain}>
            <span data-mono>{domain}</span> <span data-quiet>is a subdomain of {matchedDomain}</span>
          </li>
        ))}
      </Names>
      <Names title={`${plural(invalid.length, 'entry', 'entries')} not checked`} count={invalid.length}>
        {invalid.map(({ domain, error }) => (
          <li key={domain}>
            <span data-mono>{domain}</span> <span data-quiet>{error}</span>
          </li>
        ))}
      </Names>
    </div>
  );
}

const isListCheck = (data: object): data is ListCheck => 'unlisted' in data;

interface NamesProps {
  title: string;
  count: number;
  /** The names that a button copies, one per line. */
  copied?: readonly string[];
  children: ReactNode;
}

/** A collapsed list of names. Nothing if there are none. */
function Names({ title, count, copied, children }: NamesProps) {
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <>
          {copied && (
            <Button
              size="xs"
              variant="default"
              className={styles.copy}
              leftSection={<Copy size={14} aria-hidden />}
              onClick={() => void copyNames(copied)}
            >
              Copy names
            </Button>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll it */}
          <ul className={styles.names} aria-label={title} tabIndex={0}>
            {children}
          </ul>
        </>
      )}
    </details>
  );
}
