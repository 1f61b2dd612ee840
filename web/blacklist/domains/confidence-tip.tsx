import { useEffect, useRef } from 'react';
import type { Confidence } from '#shared/blacklist/domains.ts';
import styles from './confidence-tip.module.css';

const meanings: Record<Confidence, string> = {
  confirmed:
    'A seller offers links on this site, or an admin verified a submission, with a price or a link as evidence.',
  probable:
    'Two or more independent sources list this site. Or a seller or a verified submission lists it, but without a price or a link as evidence.',
  reported: 'One independent source lists this site. It is neither a seller nor a verified submission.',
};

interface ConfidenceTipProps {
  confidence: Confidence;
  onClose(): void;
}

/** The explanation of a confidence, next to its parent element and above everything else. */
export function ConfidenceTip({ confidence, onClose }: ConfidenceTipProps) {
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
      id="confidence"
      role="tooltip"
      popover="auto"
      className={styles.tip}
      ref={tip}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <span className={styles.text}>
        {meanings[confidence]}
        <span className={styles.note}>Risk counts the sources. Confidence rates their evidence.</span>
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
