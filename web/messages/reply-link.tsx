import { Reply } from 'lucide-react';
import type { Message } from '#shared/messages.ts';
import { ButtonAnchor } from '../ui/button.tsx';

/** Where the server sends no mail: opens the admin's own mail program with the answer begun. */
export function ReplyLink({ message }: { message: Message }) {
  return (
    <ButtonAnchor href={mailAddress(message)} leftSection={<Reply size={16} aria-hidden />}>
      Reply by Email
    </ButtonAnchor>
  );
}

/** Line ends are CR LF (RFC 6068). A long message is quoted in part: mail programs refuse long addresses. */
export function mailAddress({ name, email, subject, message }: Message): string {
  const quoted = message.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  const body = ['', '', `${name} wrote:`, ...quoted].join('\r\n').slice(0, 1200);
  const about = /^re:/i.test(subject) ? subject : `Re: ${subject}`;
  const to = encodeURIComponent(email).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(about)}&body=${encodeURIComponent(body.toWellFormed())}`;
}
