import classes from './spinner.module.css';

/** Something is on its way; the words beside it say what. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={`${classes.spinner} ${className ?? ''}`} aria-hidden="true" />;
}
