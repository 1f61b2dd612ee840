import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import classes from './button.module.css';

/** How a button looks. */
export interface ButtonLook {
  variant?: 'filled' | 'default' | 'light' | 'subtle';
  size?: 'sm' | 'xs' | 'md' | 'compact-sm';
  /** Of an act that destroys something. */
  color?: 'red';
  /** An icon before the words. */
  leftSection?: ReactNode;
  /** An icon after the words. */
  rightSection?: ReactNode;
  fullWidth?: boolean;
  className?: string | undefined;
  children?: ReactNode;
}

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'color'>;

interface ButtonProps extends ButtonLook, Native {
  /** While the answer is on its way nothing more can be asked. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button of the site. The kit's, with its transition and its loader, would be six kilobytes of the first load. */
export function Button({ loading = false, type = 'button', onClick, onKeyDown, ...rest }: ButtonProps) {
  const { look, content, native } = splitProps(rest);
  // A disabled button would lose the focus, and with it the place of whoever works by keyboard.
  const press = (event: MouseEvent<HTMLButtonElement>) => (loading ? event.preventDefault() : onClick?.(event));
  const hold = (event: KeyboardEvent<HTMLButtonElement>) => {
    // A key that is held presses once.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
    onKeyDown?.(event);
  };
  return (
    <button
      type={type}
      aria-disabled={loading || undefined}
      data-loading={loading || undefined}
      onClick={press}
      onKeyDown={hold}
      {...look}
      {...native}
    >
      {content}
      {loading && <Spinner className={classes.wait} />}
    </button>
  );
}

type ButtonAnchorProps = ButtonLook &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'color'> & { ref?: Ref<HTMLAnchorElement> };

/** A link that looks like a button: a download, or an address of somebody else. */
export function ButtonAnchor(props: ButtonAnchorProps) {
  const { look, content, native } = splitProps(props);
  return (
    <a {...look} {...native}>
      {content}
    </a>
  );
}

function splitProps<P extends ButtonLook>({ variant, size, color, leftSection, rightSection, ...rest }: P) {
  const { fullWidth, className, children, ...native } = rest;
  return {
    look: {
      className: `${classes.button} ${className ?? ''}`,
      'data-variant': variant,
      'data-size': size,
      'data-color': color,
      'data-full': fullWidth || undefined,
    },
    content: (
      <>
        {leftSection}
        <span className={classes.words}>{children}</span>
        {rightSection}
      </>
    ),
    native,
  };
}

/** A link to a screen that looks like a button: `<ButtonLink to={paths.domains}>`. */
export const ButtonLink = createLink(ButtonAnchor);

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  /** What it does: read out, and shown beside the pointer. */
  label: string;
  className?: string | undefined;
}

/** The look of a small square button, also for links. */
export const iconButton = classes.icon ?? '';

/** A small square button with an icon in it. */
export function IconButton({ label, className, ...button }: IconButtonProps) {
  return (
    <button type="button" className={`${iconButton} ${className ?? ''}`} aria-label={label} title={label} {...button} />
  );
}

/** Something is on its way; the words beside it say what. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={`${classes.spinner} ${className ?? ''}`} aria-hidden="true" />;
}
