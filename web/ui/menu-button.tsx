import { type ReactNode, Suspense, useState } from 'react';
import styles from './menu-button.module.css';

/** The button that opens a menu. */
export interface MenuOpener {
  /** The accessible name. */
  label: string;
  /** The content of the button. */
  button: ReactNode;
  buttonClass?: string | undefined;
}

interface Props extends MenuOpener {
  /** Returns a lazy part that renders a `Menu` with this opener and `startsOpen`. */
  children(opener: MenuOpener): ReactNode;
}

/** The button of a menu that loads on the first press. The menu then replaces it. */
export function MenuButton({ children, ...opener }: Props) {
  const { label, button, buttonClass } = opener;
  const [isPressed, setPressed] = useState(false);
  const closed = (
    <div className={styles.place}>
      <button
        type="button"
        className={buttonClass ?? styles.button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={false}
        data-waiting={isPressed || undefined}
        onClick={() => setPressed(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setPressed(true);
        }}
      >
        {button}
      </button>
    </div>
  );
  return isPressed ? <Suspense fallback={closed}>{children(opener)}</Suspense> : closed;
}
