import { atLeast } from '#shared/pages.ts';
import classes from './stats-strip.module.css';
import { useStats } from './use-stats.ts';

/** The page is made before the list is: the server writes the number into what it sends (server/http/pages.ts). */
const unknownSize = import.meta.env.SSR ? '__BLACKLIST_SIZE__' : '\u2013';

/** The size of the blacklist, how often it is renewed, what it costs. */
export function StatsStrip() {
  const stats = useStats();
  return (
    <dl className={classes.strip}>
      <Fact value={stats ? atLeast(stats.total) : unknownSize} label="domains in the blacklist" />
      <Fact value="Monthly" label="updates" />
      <Fact value="Free" label="forever access" />
    </dl>
  );
}

function Fact({ value, label }: { value: string; label: string }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
