import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './menu.module.css';

interface Props {
  /** The accessible name of the button. */
  label: string;
  /** What the button shows. */
  button: ReactNode;
  buttonClass?: string | undefined;
  /** Elements with the class and roles of `menuItem`, separators, headings. */
  children: ReactNode;
}

/** The class of an element in a menu that can be chosen; it needs the role `menuitem` or `menuitemradio` and `tabIndex={-1}`. */
export const menuItem = classes.item;

/**
 * A button that opens a list of links and actions below its right end, by the menu button pattern of WAI-ARIA:
 * arrows, Home and End move, Escape closes and returns the focus, Tab leaves, a choice closes.
 */
export function Menu({ label, button, buttonClass, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    itemsOf(list.current)[0]?.focus();
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [open]);

  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setOpen(true);
  };

  const onMenuKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return setOpen(false);
    if (event.key === 'Escape') {
      setOpen(false);
      opener.current?.focus();
      return;
    }
    const items = itemsOf(list.current);
    const to = targetOf(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (to === undefined) return;
    event.preventDefault();
    items[to]?.focus();
  };

  return (
    <div className={classes.place} ref={place}>
      <button
        ref={opener}
        type="button"
        className={buttonClass ?? classes.button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={onButtonKey}
      >
        {button}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          className={classes.menu}
          onKeyDown={onMenuKey}
          onClick={() => {
            opener.current?.focus();
            setOpen(false);
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

function targetOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
