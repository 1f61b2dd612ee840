import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './menu.module.css';
import opening from './menu-button.module.css';
import type { MenuOpener } from './menu-button.tsx';

interface Props extends MenuOpener {
  /** Whether the menu is open when it is first shown, unless the user has focused something else while it loaded. */
  startsOpen?: boolean;
  /** Items with the class `menuItem`, separators and headings. */
  children: ReactNode;
}

/**
 * The class of a menu item. The element also needs `tabIndex={-1}` and the role `menuitem`, `menuitemradio`, or
 * `menuitemcheckbox`, which keeps the menu open.
 */
export const menuItem = styles.item;

/**
 * A button that opens a menu of links and actions, following the WAI-ARIA menu button pattern: arrow keys, Home and End
 * move the focus; Escape closes the menu and returns the focus; Tab leaves; choosing an item closes it.
 */
export function Menu({ label, button, buttonClass, startsOpen = false, children }: Props) {
  const [open, setOpen] = useState(() => startsOpen && isFocusFree(label));
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    // Items that are still loading focus themselves.
    (itemsOf(list.current)[0] ?? list.current)?.focus();
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
    const to = nextIndex(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (to === undefined) return;
    event.preventDefault();
    items[to]?.focus();
  };

  return (
    <div className={opening.place} ref={place}>
      <button
        ref={opener}
        type="button"
        className={buttonClass ?? opening.button}
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
          className={styles.menu}
          onKeyDown={onMenuKey}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('[role="menuitemcheckbox"]')) return;
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

/** Whether the focus is on the button, or nowhere: the button is replaced, and Safari does not focus a clicked one. */
function isFocusFree(label: string): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || activeElement.ariaLabel === label;
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

/** The index of the item that a key moves the focus to, or undefined for other keys. */
function nextIndex(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (Math.max(from, 0) - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
