import type { ButtonHTMLAttributes } from 'react';
import classes from './icon-button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  /** What it does: read out, and shown beside the pointer. */
  label: string;
  className?: string | undefined;
}

/** The look of a small square button, also for links. */
export const iconButton = classes.button ?? '';

/** A small square button with an icon in it. */
export function IconButton({ label, className, ...button }: Props) {
  return (
    <button type="button" className={`${iconButton} ${className ?? ''}`} aria-label={label} title={label} {...button} />
  );
}
