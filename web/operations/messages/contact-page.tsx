import '../../ui/more-styles.ts';
import { MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import frame from '../../ui/public-page.module.css';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';

export function ContactPage() {
  useTitle(publicPageTitles[paths.contact]);
  const [isSent, setSent] = useState(false);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>Contact Us</h1>
        <p className={frame.lead}>Ask a question, correct a listing, suggest a feature, or report a problem.</p>
      </div>
      <div className={styles.columns}>
        <section className={styles.card} aria-label="Your message">
          {isSent ? <ContactSent onSendAnother={() => setSent(false)} /> : <ContactForm onSent={() => setSent(true)} />}
        </section>
        <section aria-labelledby="contact-questions" className={styles.faq}>
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

/** Also part of the structured data for search engines (web/head.ts). */
export const contactFaq: readonly { question: string; answer: string }[] = [
  {
    question: 'How quickly will I hear back?',
    answer: 'We reply within 24 hours on business days. Messages sent on a weekend get a reply on Monday.',
  },
  {
    question: 'Do you offer technical support?',
    answer:
      'Yes. If an export cannot be read, a report looks wrong or a download fails, tell us which tool the file comes from and what you see on the screen.',
  },
  {
    question: 'Can I suggest a feature?',
    answer: 'Yes, feature requests are welcome. Tell us what you want to achieve, and how you do it today.',
  },
  {
    question: 'Can you help me clean up my backlinks?',
    answer:
      'We work with experienced SEO experts who offer consulting on audits, disavow files and recovery from a manual action. Describe your website and your situation, and we will put you in touch.',
  },
];

/** Replaces the form after a message was sent. */
function ContactSent({ onSendAnother }: { onSendAnother(): void }) {
  const title = useRef<HTMLHeadingElement>(null);
  // The focused button has disappeared.
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={styles.sent}>
      <MailCheck size={36} strokeWidth={1.5} aria-hidden />
      <h2 ref={title} tabIndex={-1}>
        Thank You for Reaching Out!
      </h2>
      <p>We have received your message and will reply by email within 24 hours on business days.</p>
      <Button variant="default" onClick={onSendAnother}>
        Send Another Message
      </Button>
    </div>
  );
}
