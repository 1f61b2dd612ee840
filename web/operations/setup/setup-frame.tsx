import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTitle } from '../../platform/use-title.ts';
import { Spinner } from '../../ui/button.tsx';
import hidden from '../../ui/hidden.module.css';
import styles from './setup.module.css';

const steps = ['Create the admin', 'Choose lists', 'Load lists'];

interface SetupFrameProps {
  step: 1 | 2 | 3;
  /** Whether the last step is done. */
  isDone?: boolean;
  title?: string;
  lead?: ReactNode;
  isLoading?: boolean;
  /** Whether the heading takes the focus, because the user's last press removed the focused button. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** The heading, the list of steps and the card of the current step. */
export function SetupFrame({
  step,
  isDone = false,
  title,
  lead,
  isLoading = false,
  takesFocus = false,
  children,
}: SetupFrameProps) {
  useTitle('Set up Linksieve');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <div className={styles.page} data-narrow={step === 1 || undefined}>
      <h1 className={styles.title}>Set up Linksieve</h1>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((name, index) => {
          const isPast = index + 1 < step || isDone;
          const isCurrent = index + 1 === step && !isDone;
          return (
            <li key={name} data-past={isPast || undefined} aria-current={isCurrent ? 'step' : undefined}>
              <span className={styles.number} aria-hidden>
                {isPast ? <Check size={15} strokeWidth={2.5} /> : index + 1}
              </span>
              <span className={styles.name}>
                {name}
                {isPast && <span className={hidden.hidden}>, done</span>}
              </span>
            </li>
          );
        })}
      </ol>
      <div className={styles.card}>
        {isLoading ? (
          <div className={styles.loading} role="status" data-waiting>
            <Spinner /> Loading...
          </div>
        ) : (
          <>
            {title && (
              <h2 ref={heading} tabIndex={-1} className={styles.heading}>
                {title}
              </h2>
            )}
            {lead && <div className={styles.lead}>{lead}</div>}
            {children}
          </>
        )}
      </div>
    </div>
  );
}
