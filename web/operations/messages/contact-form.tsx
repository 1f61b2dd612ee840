import { useMutation } from '@tanstack/react-query';
import {
  type FormEvent,
  type InputHTMLAttributes,
  type RefObject,
  type TextareaHTMLAttributes,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import * as z from 'zod/mini';
import { ContactInput, maxMessageLength, sendMessage } from '#shared/accounts/messages.ts';
import { useSession } from '../../accounts/sessions/session.tsx';
import { ApiError, call } from '../../platform/api.ts';
import { tryStorage } from '../../platform/storage.ts';
import { Button } from '../../ui/button.tsx';
import field from '../../ui/fields.module.css';
import { useIsServed } from '../../ui/served.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import styles from './contact-form.module.css';

/** The form on the contact page. Its values survive a reload and a failed request. */
export function ContactForm({ onSent }: { onSent(): void }) {
  const element = useRef<HTMLFormElement>(null);
  const form = useContactForm(element);
  const send = useMutation({
    mutationFn: (values: ContactDraft) => {
      const website = new FormData(element.current ?? undefined).get('website');
      return call(sendMessage, { body: { ...values, website: String(website ?? '') } });
    },
    onSuccess: () => {
      saveDraft(undefined);
      toastSuccess('Message sent!', 'Your message has been saved to the admin inbox.');
      onSent();
    },
    onError: (error) => {
      if (isInvalid(error)) form.showErrors(error.fields);
      toastError('Error', getReason(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = send.isPending ? undefined : form.validate();
    if (values) send.mutate(values);
  };

  return (
    <form
      ref={element}
      className={styles.form}
      noValidate
      aria-label="Contact form"
      data-stored={draftKey}
      // Without the app, the browser does not send the form: the message would be in the URL.
      method="dialog"
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
      {/* Bots fill in every field. Users never see this one. */}
      <div className={styles.honeypot} aria-hidden>
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      {send.error && !isInvalid(send.error) && <p className={styles.error}>{getReason(send.error)}</p>}
      <div className={styles.footer}>
        <Button type="submit" size="md" loading={send.isPending}>
          Send Message
        </Button>
        <p>We reply by email within 24 hours on business days.</p>
      </div>
      <noscript>
        <p className={styles.needsScript}>
          Sending this form needs JavaScript. Enable it for this site and reload the page.
        </p>
      </noscript>
    </form>
  );
}

/** Whether the server refused the values. Its messages are then shown below the fields. */
const isInvalid = (error: Error): error is ApiError => error instanceof ApiError && error.status === 400;

/** The server's sentence if an immediate retry does not help. */
function getReason(error: Error): string {
  const showsReason = error instanceof ApiError && (error.status === 400 || error.status === 429);
  return showsReason ? error.message : 'There was a problem sending your message. Please try again.';
}

type NativeProps = Omit<
  InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>,
  'onChange'
>;

interface ContactFieldProps extends NativeProps {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  /** Makes the field a textarea of this many lines. */
  rows?: number;
  onChange(value: string): void;
}

/** A labeled field with its error. Public pages do not load Mantine's fields. */
function ContactField({ label, error, rows, onChange, ...native }: ContactFieldProps) {
  const id = useId();
  const shared = {
    ...native,
    id,
    className: `${field.field} ${styles.input}`,
    required: true,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {rows ? <textarea {...shared} rows={rows} /> : <input {...shared} />}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

const fieldNames = ['name', 'email', 'subject', 'message'] as const;
type ContactName = (typeof fieldNames)[number];
type ContactDraft = Record<ContactName, string>;
const noValues: ContactDraft = { name: '', email: '', subject: '', message: '' };
type Errors = Partial<Record<ContactName, string>>;

/** The values of the contact form, saved as a draft, and their errors after an attempt to send. */
function useContactForm(element: RefObject<HTMLFormElement | null>) {
  const { user } = useSession();
  const isServed = useIsServed();
  const draft = useMemo(() => (isServed ? {} : readDraft()), [isServed]);
  const [typed, setTyped] = useState<Partial<ContactDraft>>({});
  const [errors, setErrors] = useState<Errors>({});
  const values = {
    ...noValues,
    ...draft,
    name: draft.name || (user?.displayName ?? user?.username ?? ''),
    email: draft.email || (user?.email ?? ''),
    ...typed,
  };

  /** Shows the errors and focuses the first field that has one. */
  const showErrors = (found: Errors) => {
    setErrors(found);
    const first = fieldNames.find((name) => found[name] !== undefined);
    element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  return {
    showErrors,
    /** Validates the values and shows their errors. @returns undefined if there are errors */
    validate(): ContactDraft | undefined {
      const parsed = z.safeParse(ContactInput, values);
      const found: Errors = {};
      for (const { path, message } of parsed.error?.issues ?? []) found[path[0] as ContactName] ??= message;
      showErrors(found);
      return parsed.success ? values : undefined;
    },
    fieldOf: (name: ContactName) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (text: string) => {
        const next = { ...values, [name]: text };
        setTyped(next);
        setErrors({ ...errors, [name]: undefined });
        saveDraft(next);
      },
    }),
  };
}

const draftKey = 'contact-draft';

/** The draft of this tab. Empty if there is none or storage is disabled. */
function readDraft(): Partial<ContactDraft> {
  return tryStorage(() => JSON.parse(sessionStorage.getItem(draftKey) ?? '{}')) ?? {};
}

/** @param draft undefined removes the stored draft */
function saveDraft(draft: ContactDraft | undefined): void {
  tryStorage(() =>
    draft ? sessionStorage.setItem(draftKey, JSON.stringify(draft)) : sessionStorage.removeItem(draftKey),
  );
}
