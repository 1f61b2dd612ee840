import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLastPage } from '../platform/use-list-url.ts';
import { Pagination } from './pagination.tsx';
import { QueryState } from './query-state.tsx';
import { type Column, type Key, type RowData, Table, type TableSelection } from './table.tsx';

interface PagedResponse {
  pagination: { pageSize: number; total: number; totalPages: number };
}

interface Props<R extends PagedResponse, T, K extends Key> {
  /** The accessible name of the table. */
  label: string;
  /** The accessible name of the pagination. */
  pagesLabel: string;
  columns: Column<T>[];
  query: UseQueryResult<R>;
  getRows(response: R): T[];
  getRowKey(row: T): K;
  getRowData?(row: T): RowData;
  /** From 1. */
  page: number;
  /** @param replace whether the page no longer exists, so that the history should not contain it */
  onPage(page: number, replace?: boolean): void;
  selection?: TableSelection<T, K>;
  /** Shown if there are no rows. */
  empty: ReactNode;
}

/** One page of a list from the server, with pagination, or its loading, empty or error state. */
export function QueryTable<R extends PagedResponse, T, K extends Key>(props: Props<R, T, K>) {
  const { label, pagesLabel, columns, query, getRows, getRowKey, getRowData, page, onPage, selection, empty } = props;
  const { data } = query;
  useLastPage(page - 1, query, (last) => onPage(last, true));
  if (!data) return <QueryState query={query} height={320} />;
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
          getRowKey={getRowKey}
          {...(getRowData && { getRowData })}
          isStale={query.isPlaceholderData}
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
