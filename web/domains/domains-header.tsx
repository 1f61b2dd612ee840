import { FileUp, Plus, ShieldCheck } from 'lucide-react';
import type { Import } from '../imports/imports.tsx';
import { plural } from '../lib/format-count.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DateText } from '../ui/date-text.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './domains-header.module.css';
import type { DomainsScreen } from './use-domains-screen.ts';

interface DomainsHeaderProps {
  screen: DomainsScreen;
  /** The import of an admin, who alone changes the list. */
  current: Import | undefined;
  /** Number of domains in the whole blacklist, and when it was last changed; undefined until known. */
  total: number | undefined;
  lastUpdated: string | null | undefined;
}

/** Heading, size and age of the blacklist, and what one does with it as a whole. */
export function DomainsHeader({ screen, current, total, lastUpdated }: DomainsHeaderProps) {
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
        {current && (
          <>
            <Button
              variant="default"
              leftSection={current.isBusy ? <Spinner /> : <FileUp size={16} aria-hidden />}
              onClick={() => screen.open('import')}
            >
              {current.isBusy && current.percent !== undefined ? `Importing ${current.percent}%` : 'Import CSV'}
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
