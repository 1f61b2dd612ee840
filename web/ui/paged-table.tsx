import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CardTable, type Column } from './card-table.tsx';
import { Pagination } from './pagination.tsx';
import { ErrorState } from './states.tsx';

interface PagedResponse {
  pagination: { pageSize: number; total: number };
}

interface Props<A extends PagedResponse, T> {
  /** What the rows are. */
  label: string;
  pagesLabel: string;
  columns: Column<T>[];
  query: UseQueryResult<A>;
  getRows(answer: A): T[];
  /** From one. */
  page: number;
  /** The first page is undefined, as in an address. */
  onPage(page: number | undefined): void;
  /** In place of the rows while the first answer is on its way. */
  skeleton: ReactNode;
  /** In place of the rows when there are none. */
  empty: ReactNode;
}

/** One page of a list that the server divides, and the way to its other pages. */
export function PagedTable<A extends PagedResponse, T extends { id: number | string }>(props: Props<A, T>) {
  const { label, pagesLabel, columns, query, getRows, page, onPage, skeleton, empty } = props;
  const { data, isError, error, refetch, isPlaceholderData } = query;
  if (!data) return isError ? <ErrorState error={error} onRetry={() => void refetch()} /> : skeleton;
  const rows = getRows(data);
  return (
    <>
      {rows.length === 0 ? (
        empty
      ) : (
        <CardTable label={label} columns={columns} rows={rows} getRowKey={({ id }) => id} isStale={isPlaceholderData} />
      )}
      <Pagination
        page={page - 1}
        pageSize={data.pagination.pageSize}
        total={data.pagination.total}
        label={pagesLabel}
        onChange={(next) => onPage(next > 0 ? next + 1 : undefined)}
      />
    </>
  );
}
