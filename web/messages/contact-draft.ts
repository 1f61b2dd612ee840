/** What stands in the contact form. */
export interface ContactDraft {
  name: string;
  email: string;
  subject: string;
  message: string;
}

export const noDraft: ContactDraft = { name: '', email: '', subject: '', message: '' };

const place = 'contact-draft';

/** The draft of this tab, which a reload leaves; empty where there is none or storage is switched off. */
export function readDraft(): ContactDraft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(place) ?? '{}');
    const fields = stored && typeof stored === 'object' ? stored : {};
    return { ...noDraft, ...Object.fromEntries(Object.entries(fields).filter(([, text]) => typeof text === 'string')) };
  } catch {
    return noDraft;
  }
}

export function keepDraft({ name, email, subject, message }: ContactDraft): void {
  try {
    sessionStorage.setItem(place, JSON.stringify({ name, email, subject, message }));
  } catch {
    // Storage is switched off or full: the form works without it.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(place);
  } catch {
    // There is none.
  }
}
