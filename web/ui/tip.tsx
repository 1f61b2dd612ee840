import { useEffect, useRef } from 'react';
import styles from './tip.module.css';

export interface Explanation {
  text: string;
  /** What the text has to do with others, in gray. */
  note: string;
}

interface TipProps extends Explanation {
  id: string;
  onClose(): void;
}

/** An explanation, next to its parent element and above everything else. */
export function Tip({ id, text, note, onClose }: TipProps) {
  const tip = useRef<HTMLElement>(null);
  useEffect(() => {
    const place = () => tip.current && placeNextToParent(tip.current);
    tip.current?.showPopover();
    place();
    addEventListener('scroll', place, { capture: true });
    return () => removeEventListener('scroll', place, { capture: true });
  }, []);
  return (
    <span
      id={id}
      role="tooltip"
      popover="auto"
      className={styles.tip}
      ref={tip}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <span className={styles.text}>
        {text}
        <span className={styles.note}>{note}</span>
      </span>
    </span>
  );
}

/** In pixels, to the edges of the window. */
const margin = 8;

function placeNextToParent(tip: HTMLElement): void {
  const anchor = tip.parentElement?.getBoundingClientRect();
  if (!anchor) return;
  const { width, height } = tip.getBoundingClientRect();
  const hasRoomBelow = anchor.bottom + height <= innerHeight;
  tip.style.left = `${Math.max(margin, Math.min(anchor.left, innerWidth - width - margin))}px`;
  tip.style.top = `${hasRoomBelow ? anchor.bottom : anchor.top - height}px`;
}
