import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../paths.ts';
import type { ReportScreen } from './screen.ts';
import type { ReportSearch } from './search.ts';

interface FilterLinkProps {
  screen: ReportScreen;
  change: Partial<ReportSearch>;
  className?: string | undefined;
  children: ReactNode;
}

/** Adds a filter to the list of domains, which only the page of the report has. */
export function FilterLink({ screen: { source, hasReview, search }, change, ...look }: FilterLinkProps) {
  // Typed as an object, because each screen has its own parameters.
  const patch: object = { ...change, view: undefined, page: undefined, open: undefined };
  const page = hasReview
    ? ({ to: '.', search: (before: object) => ({ ...before, ...patch }) } as const)
    : { to: paths.report, params: { id: String(source.id) }, search: { lost: search.lost, ...change } };
  return <Link {...page} hash="domains" preload={false} {...look} />;
}
