import { ChevronDown } from 'lucide-react';
import { type ChangeEvent, type InputHTMLAttributes, useEffect, useId, useRef } from 'react';
import styles from './fields.module.css';

interface SelectFieldProps {
  /** The accessible name: the field has no visible label. */
  'aria-label': string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange(value: string): void;
  size?: 'sm' | 'xs';
  className?: string | undefined;
}

/** The browser's native select, styled like the other fields. */
export function SelectField({ options, value, onChange, size = 'sm', className, ...label }: SelectFieldProps) {
  return (
    <span className={`${styles.select} ${className ?? ''}`} data-size={size}>
      <select
        className={styles.field}
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
      <ChevronDown size={15} aria-hidden className={styles.chevron} />
    </span>
  );
}

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className' | 'onChange'>;

interface CheckboxProps extends Native {
  /** Shown next to the box. Without it, the box needs an `aria-label`. */
  label?: string;
  /** Whether some but not all items are selected. */
  indeterminate?: boolean;
  className?: string | undefined;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
}

/** The browser's native checkbox. Mantine's would be a tenth of the blacklist's first load. */
export function Checkbox({ label, indeterminate = false, className, ...box }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const id = useId();
  const field = <input id={id} ref={input} type="checkbox" className={styles.box} {...box} />;
  if (label === undefined) return field;
  return (
    <label htmlFor={id} className={`${styles.label} ${className ?? ''}`}>
      {field}
      {label}
    </label>
  );
}

interface RadioGroupProps<Value extends string> {
  /** The question. */
  legend: string;
  options: readonly { value: Value; label: string; description?: string }[];
  /** Undefined before the first choice. */
  value: Value | undefined;
  onChange(value: NoInfer<Value>): void;
  /** Whether short options are next to each other. */
  isInline?: boolean;
  disabled?: boolean;
}

/** The browser's native radio buttons, below each other unless they are inline. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, options, value, onChange, isInline, disabled } = props;
  const id = useId();
  return (
    <fieldset className={styles.radios} data-inline={isInline} disabled={disabled}>
      <legend>{legend}</legend>
      {options.map((option) => {
        const optionId = `${id}-${option.value}`;
        return (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-labelledby={optionId}
              aria-describedby={option.description && `${optionId}-text`}
            />
            <span>
              <span id={optionId}>{option.label}</span>
              {option.description && (
                <span id={`${optionId}-text`} className={styles.description}>
                  {option.description}
                </span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Props that give Mantine's selects the same chevron. */
export const selectLook = {
  rightSection: <ChevronDown size={15} aria-hidden />,
  rightSectionPointerEvents: 'none',
} as const;
