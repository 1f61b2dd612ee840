import { NativeSelect } from '@mantine/core';
import { pageSizes } from './search.ts';

type Size = (typeof pageSizes)[number];

const options = pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** How many rows a page has. */
export function PageSize({ value, onChange }: { value: number; onChange(size: Size): void }) {
  return (
    <NativeSelect
      aria-label="Rows per page"
      size="xs"
      data={options}
      value={String(value)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(pageSizes.find((size) => String(size) === chosen) ?? pageSizes[0]);
      }}
    />
  );
}
