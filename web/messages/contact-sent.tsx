import { MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './contact-sent.module.css';

/** Stands in place of the form once it was sent. */
export function ContactSent({ onAgain }: { onAgain(): void }) {
  const title = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={styles.sent}>
      <MailCheck size={36} strokeWidth={1.5} aria-hidden />
      <h2 ref={title} tabIndex={-1}>
        Thank You for Reaching Out!
      </h2>
      <p>Your message is in our inbox. We answer by email, within 24 hours on business days.</p>
      <Button variant="default" onClick={onAgain}>
        Send Another Message
      </Button>
    </div>
  );
}
