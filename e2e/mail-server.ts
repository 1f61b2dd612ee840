import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Starts a mail server on a free port that accepts everything, and passes each email with its recipients on. */
export async function startMailServer(onEmail: (to: readonly string[], email: string) => Promise<void>) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (mail, { envelope }, done) => {
      const to = envelope.rcptTo.map(({ address }) => address);
      void text(mail)
        .then((email) => onEmail(to, email))
        .then(() => done(), done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  return {
    url: `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Undoes what the quoted-printable encoding does to long lines and equals signs. */
export const decodeEmail = (email: string): string => email.replaceAll('=\r\n', '').replaceAll('=3D', '=');
