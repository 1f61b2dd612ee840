import '../ui/more-styles.ts';
import { useState } from 'react';
import { publicHeads } from '../lib/public-heads.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import frame from '../ui/public-page.module.css';
import { contactFaq } from './contact-faq.ts';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';
import { ContactSent } from './contact-sent.tsx';

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
