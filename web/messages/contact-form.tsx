import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { maxMessageLength, sendMessage } from '#shared/messages.ts';
import { ApiError, call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { type ContactDraft, forgetDraft } from './contact-draft.ts';
import { ContactField } from './contact-field.tsx';
import styles from './contact-form.module.css';
import { contactFormId, useContactForm } from './use-contact-form.ts';

/** The form on the contact page. What was typed stays through a reload and through a failure. */
export function ContactForm({ onSent }: { onSent(): void }) {
  const element = useRef<HTMLFormElement>(null);
  const form = useContactForm(element);
  const send = useMutation({
    mutationFn: (values: ContactDraft) => {
      const website = new FormData(element.current ?? undefined).get('website');
      return call(sendMessage, { body: { ...values, website: String(website ?? '') } });
    },
    onSuccess: () => {
      forgetDraft();
      toast({
        title: 'Message sent!',
        description: 'Your message has been saved to the admin inbox.',
        tone: 'success',
      });
      onSent();
    },
    onError: (error) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (error instanceof ApiError && status === 400) form.refuse(error.fields);
      // The server's own words where trying again at once does not help.
      const isTold = status === 400 || status === 429;
      const description = isTold ? error.message : 'There was a problem sending your message. Please try again.';
      toast({ title: 'Error', description, tone: 'destructive' });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = send.isPending ? undefined : form.check();
    if (values) send.mutate(values);
  };

  return (
    <form
      ref={element}
      id={contactFormId}
      className={styles.form}
      noValidate
      aria-label="Contact form"
      onSubmit={submit}
    >
      <div className={styles.pair}>
        <ContactField label="Name" autoComplete="name" maxLength={100} {...form.fieldOf('name')} />
        <ContactField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          {...form.fieldOf('email')}
        />
      </div>
      <ContactField label="Subject" autoComplete="off" maxLength={200} {...form.fieldOf('subject')} />
      <ContactField
        label="Message"
        autoComplete="off"
        rows={8}
        maxLength={maxMessageLength}
        {...form.fieldOf('message')}
      />
      {/* Programs fill in every field that they find; people never see this one. */}
      <div className={styles.trap} aria-hidden>
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div className={styles.end}>
        {/* Until the app is there a browser would send the form by itself, with the message in the address. */}
        <Button type="submit" size="md" loading={send.isPending} disabled={import.meta.env.SSR}>
          Send Message
        </Button>
        <p>We answer by email, within 24 hours on business days.</p>
      </div>
      <noscript>
        <p className={styles.needsScript}>
          Sending this form needs JavaScript. Please switch it on for this site and load the page again.
        </p>
      </noscript>
    </form>
  );
}
