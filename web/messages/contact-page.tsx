import '../ui/more-styles.ts';
import { MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { publicHeads } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import frame from '../ui/public-page.module.css';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';

/** Where anybody writes to the maintainers, beside answers to what they are asked most. */
export function ContactPage() {
  useTitle(publicHeads[paths.contact].title);
  const [isSent, setSent] = useState(false);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>Contact Us</h1>
        <p className={frame.lead}>
          Questions, corrections of a listed domain, ideas, or help with a report: write to us, and a person reads it.
        </p>
      </div>
      <div className={styles.columns}>
        <section className={styles.card} aria-label="Your message">
          {isSent ? <ContactSent onAgain={() => setSent(false)} /> : <ContactForm onSent={() => setSent(true)} />}
        </section>
        <section aria-labelledby="contact-questions" className={styles.questions}>
          <h2 id="contact-questions">Frequently asked questions</h2>
          {contactFaq.map(({ question, answer }) => (
            <div key={question}>
              <h3>{question}</h3>
              <p>{answer}</p>
            </div>
          ))}
        </section>
      </div>
    </div>
  );
}

/** Also told to search engines (web/head.ts). */
export const contactFaq: readonly { question: string; answer: string }[] = [
  {
    question: 'How quickly will I hear back?',
    answer: 'We answer within 24 hours on business days. Messages that come in at a weekend are answered on Monday.',
  },
  {
    question: 'Do you offer technical support?',
    answer:
      'Yes. If an export is not read, a report looks wrong or a download fails, write to us. Say which tool the file comes from and what you see on the screen, and we look into it.',
  },
  {
    question: 'Can I suggest a feature?',
    answer: 'Yes, feature requests are welcome. Tell us what you want to get done rather than which button you miss.',
  },
  {
    question: 'Can you help me to clean up my backlinks?',
    answer:
      'We are connected with experienced SEO experts who take on consulting: audits, disavow files and recovery after a penalty. Describe your website and your situation, and we put you in touch.',
  },
];

/** Stands in place of the form once it was sent. */
function ContactSent({ onAgain }: { onAgain(): void }) {
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
