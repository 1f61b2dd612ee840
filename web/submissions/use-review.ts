import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type SubmissionPageSize, type SubmissionStatus, usualPageSize } from '#shared/submissions.ts';
import { paths } from '../paths.ts';
import type { ReviewSearch } from './search.ts';

const route = getRouteApi('/admin-only/admin/submissions');

/** The address of the review as state. Another tab or page size begins at the first page. */
export function useReview() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const go = (change: Partial<ReviewSearch>, replace = false) =>
    navigate({ to: paths.adminSubmissions, search: { ...search, ...change }, replace, resetScroll: false });
  return {
    status: search.status ?? ('pending' as SubmissionStatus),
    /** From zero. */
    page: (search.page ?? 1) - 1,
    pageSize: search.pageSize ?? usualPageSize,
    showStatus: (status: SubmissionStatus) =>
      go({ status: status === 'pending' ? undefined : status, page: undefined }),
    showSize: (pageSize: SubmissionPageSize) =>
      go({ pageSize: pageSize === usualPageSize ? undefined : pageSize, page: undefined }),
    goToPage: (page: number, replace = false) => go({ page: page > 0 ? page + 1 : undefined }, replace),
  };
}

export type Review = ReturnType<typeof useReview>;
