import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Pagination } from './pagination.tsx';
import { ErrorState } from './states.tsx';
import { type Column, type Key, Table, type TableSelection } from './table.tsx';

interface PagedResponse {
  pagination: { pageSize: number; total: number };
}

interface Props<R extends PagedResponse, T, K extends Key> {
  /** The accessible name of the table. */
  label: string;
  /** The accessible name of the pagination. */
  pagesLabel: string;
  columns: Column<T>[];
  query: UseQueryResult<R>;
  getRows(response: R): T[];
  /** From 1. */
  page: number;
  onPage(page: number): void;
  selection?: TableSelection<T, K>;
  /** Shown if there are no rows. */
  empty: ReactNode;
}

/** One page of a list from the server, with pagination, or its loading, empty or error state. */
export function QueryTable<R extends PagedResponse, T extends { id: K }, K extends Key>(props: Props<R, T, K>) {
  const { label, pagesLabel, columns, query, getRows, page, onPage, selection, empty } = props;
  const { data, isError, error, refetch, isFetching, isPlaceholderData } = query;
  if (!data) {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
    return <Skeleton height={320} radius="md" data-waiting />;
  }
  const rows = getRows(data);
  return (
    <>
      {rows.length === 0 ? (
        empty
      ) : (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          getRowKey={({ id }) => id}
          isStale={isPlaceholderData}
          selection={selection}
        />
      )}
      <Pagination
        page={page - 1}
        pageSize={data.pagination.pageSize}
        total={data.pagination.total}
        label={pagesLabel}
        onChange={(next) => onPage(next + 1)}
      />
    </>
  );
}
