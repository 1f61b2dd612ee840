import { type RefObject, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { ContactInput } from '#shared/messages.ts';
import { useSession } from '../session/session.tsx';
import { type ContactDraft, keepDraft, noDraft, readDraft } from './contact-draft.ts';

/** By which the app finds the form as it was served, before it puts its own in its place. */
export const contactFormId = 'contact-form';

export type ContactName = keyof ContactDraft;
type Errors = Partial<Record<ContactName, string>>;

/** The state of the contact form: its values, kept as a draft, and what is wrong with them once it was tried to send them. */
export function useContactForm(element: RefObject<HTMLFormElement | null>) {
  const [values, setValues] = useState(firstValues);
  const [errors, setErrors] = useState<Errors>({});
  const { user } = useSession();

  const known = useRef<number>(undefined);
  useEffect(() => {
    if (!user || known.current === user.id) return;
    known.current = user.id;
    setValues(({ name, email, ...rest }) => ({
      ...rest,
      name: name || (user.displayName ?? user.username),
      email: email || user.email,
    }));
  }, [user]);

  /** Shows what is wrong, with the focus on the first of it. */
  const refuse = (found: Errors) => {
    setErrors(found);
    const first = (Object.keys(noDraft) as ContactName[]).find((name) => found[name] !== undefined);
    element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  return {
    refuse,
    /** @returns the values, undefined when something is wrong with them */
    check(): ContactDraft | undefined {
      const parsed = z.safeParse(ContactInput, values);
      const found: Errors = {};
      for (const { path, message } of parsed.error?.issues ?? []) found[path[0] as ContactName] ??= message;
      refuse(found);
      return parsed.success ? values : undefined;
    },
    fieldOf: (name: ContactName) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (text: string) => {
        const next = { ...values, [name]: text };
        setValues(next);
        setErrors({ ...errors, [name]: undefined });
        keepDraft(next);
      },
    }),
  };
}

/** What somebody has typed into the page as it was served wins over the draft of this tab. */
function firstValues(): ContactDraft {
  if (import.meta.env.SSR) return noDraft;
  const served = document.getElementById(contactFormId);
  const typed = new FormData(served instanceof HTMLFormElement ? served : undefined);
  const draft = readDraft();
  const value = (name: ContactName) => String(typed.get(name) ?? '') || draft[name];
  return { name: value('name'), email: value('email'), subject: value('subject'), message: value('message') };
}
