import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CardTable, type Column } from './card-table.tsx';
import { Pagination } from './pagination.tsx';
import { ErrorState } from './states.tsx';

interface PagedResponse {
  pagination: { pageSize: number; total: number };
}

interface Props<R extends PagedResponse, T> {
  /** The accessible name of the table. */
  label: string;
  /** The accessible name of the pagination. */
  pagesLabel: string;
  columns: Column<T>[];
  query: UseQueryResult<R>;
  getRows(response: R): T[];
  /** From 1. */
  page: number;
  /** Called with undefined for the first page, as in the URL. */
  onPage(page: number | undefined): void;
  /** Shown while the first response is loading. */
  skeleton: ReactNode;
  /** Shown if there are no rows. */
  empty: ReactNode;
}

/** One page of a list from the server, with pagination. */
export function PagedTable<R extends PagedResponse, T extends { id: number | string }>(props: Props<R, T>) {
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
