import { useQuery } from '@tanstack/react-query';
import { countStats } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import classes from './stats-strip.module.css';

/** Milliseconds between two questions about the numbers. */
const refreshEvery = 5 * 60 * 1000;

export function StatsStrip() {
  const { data } = useQuery({
    queryKey: ['stats', 'home'],
    queryFn: ({ signal }) => call(countStats, { signal }),
    refetchInterval: refreshEvery,
    staleTime: refreshEvery,
  });
  return (
    <dl className={classes.strip}>
      <Fact value={data ? atLeast(data.total) : '\u2013'} label="domains in the blacklist" />
      <Fact value="Monthly" label="updates" />
      <Fact value="Free" label="forever access" />
    </dl>
  );
}

function atLeast(count: number): string {
  return count > 0 ? `${count.toLocaleString('en-US')}+` : '0';
}

function Fact({ value, label }: { value: string; label: string }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
