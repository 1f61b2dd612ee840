import { SelectField } from '../ui/select-field.tsx';
import { pageSizes } from './search.ts';

type Size = (typeof pageSizes)[number];

const options = pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** How many rows a page has. */
export function PageSize({ value, onChange }: { value: number; onChange(size: Size): void }) {
  return (
    <SelectField
      aria-label="Rows per page"
      size="xs"
      options={options}
      value={String(value)}
      onChange={(chosen) => onChange(pageSizes.find((size) => String(size) === chosen) ?? pageSizes[0])}
    />
  );
}
