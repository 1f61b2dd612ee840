import { X } from 'lucide-react';
import { formatDay } from './display.ts';
import { riskWords } from './domains.tsx';
import styles from './filter-chips.module.css';
import type { Narrowing } from './search.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

/** Every filter that is on, each with a way to take it off. */
export function FilterChips({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const chips = chipsOf(screen.search, isAdmin);
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ name, text }) => (
        <li key={name} className={styles.chip}>
          <span className={styles.text} title={text}>
            {text}
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove filter ${text}`}
            onClick={() => screen.show({ [name]: undefined })}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={() => screen.clear()}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

function chipsOf(search: Narrowing, isAdmin: boolean): { name: keyof Narrowing; text: string }[] {
  const { riskLevel, dateAdded } = search;
  const texts: Partial<Record<keyof Narrowing, string | undefined>> = {
    search: search.search && `Name contains ${search.search}`,
    filter: search.filter && 'Recently added',
    tld: search.tld && `.${search.tld.replace(/^\./, '')}`,
    dateAdded: dateAdded && `Added after ${formatDay(dateAdded)}`,
    source: isAdmin ? search.source && `Source ${search.source}` : undefined,
    niche: search.niche && `Niche ${search.niche}`,
    riskLevel: riskLevel && `${riskWords[riskLevel]} Risk`,
  };
  return (Object.keys(texts) as (keyof Narrowing)[]).flatMap((name) => {
    const text = texts[name];
    return text ? [{ name, text }] : [];
  });
}
