import { type ReactNode, Suspense, useId, useState } from 'react';
import { lazyPart } from '../platform/load-part.ts';
import styles from './explained.module.css';
import type { Explanation } from './tip.tsx';

const Tip = lazyPart(() => import('./tip.tsx'), 'Tip');

interface ExplainedProps extends Explanation {
  children: ReactNode;
}

/** A short text whose explanation appears on hover, focus or tap. */
export function Explained({ text, note, children }: ExplainedProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <span
      onPointerEnter={(event) => setOpen(event.pointerType === 'mouse')}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
    >
      <button
        type="button"
        className={styles.text}
        aria-describedby={isOpen ? id : undefined}
        // Escape closes the explanation, and not the dialog around it.
        data-mantine-stop-propagation={isOpen}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <Tip id={id} text={text} note={note} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}
