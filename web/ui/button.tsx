import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import styles from './button.module.css';

/** The appearance of a button. */
export interface ButtonLook {
  variant?: 'filled' | 'default' | 'light' | 'subtle';
  size?: 'sm' | 'xs' | 'md' | 'compact-sm';
  /** For destructive actions. */
  color?: 'red';
  /** An icon before the label. */
  leftSection?: ReactNode;
  /** An icon after the label. */
  rightSection?: ReactNode;
  fullWidth?: boolean;
  className?: string | undefined;
  children?: ReactNode;
}

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'color'>;

interface ButtonProps extends ButtonLook, Native {
  /** While true, the button shows a spinner and ignores clicks. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** The site's button. Mantine's button, with its transition and loader, would add six kilobytes to the first load. */
export function Button({ loading = false, type = 'button', onClick, onKeyDown, ...rest }: ButtonProps) {
  const { look, content, native } = splitProps(rest);
  // The button is not disabled while it loads: a disabled button loses the focus, and keyboard users lose their place.
  const press = (event: MouseEvent<HTMLButtonElement>) => (loading ? event.preventDefault() : onClick?.(event));
  const ignoreRepeats = (event: KeyboardEvent<HTMLButtonElement>) => {
    // A held key presses only once.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
    onKeyDown?.(event);
  };
  return (
    <button
      type={type}
      aria-disabled={loading || undefined}
      data-loading={loading || undefined}
      onClick={press}
      onKeyDown={ignoreRepeats}
      {...look}
      {...native}
    >
      {content}
      {loading && <Spinner className={styles.wait} />}
    </button>
  );
}

type ButtonAnchorProps = ButtonLook &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'color'> & { ref?: Ref<HTMLAnchorElement> };

/** A link that looks like a button, for downloads and other sites. */
export function ButtonAnchor(props: ButtonAnchorProps) {
  const { look, content, native } = splitProps(props);
  return (
    <a {...look} {...native}>
      {content}
    </a>
  );
}

/** Splits the props of a button into attributes for its appearance, its content, and native attributes. */
function splitProps<P extends ButtonLook>({ variant, size, color, leftSection, rightSection, ...rest }: P) {
  const { fullWidth, className, children, ...native } = rest;
  return {
    look: {
      className: `${styles.button} ${className ?? ''}`,
      'data-variant': variant,
      'data-size': size,
      'data-color': color,
      'data-full': fullWidth || undefined,
    },
    content: (
      <>
        {leftSection}
        <span className={styles.words}>{children}</span>
        {rightSection}
      </>
    ),
    native,
  };
}

/** A link to a screen that looks like a button: `<ButtonLink to={paths.domains}>`. */
export const ButtonLink = createLink(ButtonAnchor);

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  /** What the button does: its accessible name and tooltip. */
  label: string;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** The class of a small square button, also for links. */
export const iconButton = styles.icon ?? '';

/** A small square button with an icon in it. */
export function IconButton({ label, className, ...button }: IconButtonProps) {
  return (
    <button type="button" className={`${iconButton} ${className ?? ''}`} aria-label={label} title={label} {...button} />
  );
}

/** A loading indicator. The text next to it says what is loading. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={`${styles.spinner} ${className ?? ''}`} aria-hidden="true" />;
}
