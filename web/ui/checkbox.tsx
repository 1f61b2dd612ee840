import { type ChangeEvent, type InputHTMLAttributes, useEffect, useId, useRef } from 'react';
import classes from './checkbox.module.css';

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className' | 'onChange'>;

interface Props extends Native {
  /** Stands beside the box; without it the box needs an `aria-label`. */
  label?: string;
  /** Some of what the box stands for is chosen, not all. */
  indeterminate?: boolean;
  className?: string | undefined;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
}

/** The browser's own checkbox in the colours of the site: the kit's would be a tenth of the blacklist's first load. */
export function Checkbox({ label, indeterminate = false, className, ...box }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const id = useId();
  const field = <input id={id} ref={input} type="checkbox" className={classes.box} {...box} />;
  if (label === undefined) return field;
  return (
    <label htmlFor={id} className={`${classes.label} ${className ?? ''}`}>
      {field}
      {label}
    </label>
  );
}
