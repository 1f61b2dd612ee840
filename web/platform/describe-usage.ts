import { type Usage, usageKinds } from '#shared/platform/usage.ts';
import { formatCount, plural } from './format.ts';

/** Describes what an account stores: '12 of 500 websites, 340 decisions, 1 of 100 sessions'. */
export function describeUsage(kinds: Usage['kinds']): string {
  return kinds
    .map(({ kind, count, limit }) => {
      const { one, many } = usageKinds[kind];
      return limit === null ? plural(count, one, many) : `${formatCount(count)} of ${plural(limit, one, many)}`;
    })
    .join(', ');
}
