import { Select } from '@mantine/core';
import styles from './domains-page.module.css';
import { pageSizes } from './search.ts';

type Size = (typeof pageSizes)[number];

const options = pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** How many rows a page has. */
export function PageSize({ value, onChange }: { value: number; onChange(size: Size): void }) {
  return (
    <Select
      className={styles.pageSize}
      aria-label="Rows per page"
      size="xs"
      data={options}
      value={String(value)}
      allowDeselect={false}
      onChange={(chosen) => onChange(pageSizes.find((size) => String(size) === chosen) ?? pageSizes[0])}
    />
  );
}
