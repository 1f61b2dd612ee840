import { ChevronDown } from 'lucide-react';
import classes from './field.module.css';

interface Props {
  /** For people who do not see where it stands. */
  'aria-label': string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange(value: string): void;
  size?: 'sm' | 'xs';
  className?: string | undefined;
}

/** The browser's own list of choices, dressed like the other fields. */
export function SelectField({ options, value, onChange, size = 'sm', className, ...label }: Props) {
  return (
    <span className={`${classes.select} ${className ?? ''}`} data-size={size}>
      <select
        className={classes.field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...label}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={15} aria-hidden className={classes.chevron} />
    </span>
  );
}
