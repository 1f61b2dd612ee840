import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, vi } from 'vitest';

export interface ReceivedEmail {
  /** The envelope: sender and recipients. */
  from: string;
  to: string[];
  /** Headers by lower-case name, with folded lines joined. */
  headers: Map<string, string>;
  body: string;
  /** The decoded parts of an email with an HTML version, by media type. */
  parts: { text: string; html: string } | undefined;
  raw: string;
}

/** An SMTP server on this machine. It stops after the tests of a file. */
export interface MailServer {
  url: string;
  received: ReceivedEmail[];
  /** If set, the server refuses every recipient with this response. */
  refusal: { responseCode: number; message: string } | undefined;
  open(): Promise<void>;
  close(): Promise<void>;
  /**
   * Waits for an email to an address, removes it from `received` and returns it. Ignores security notices by default.
   */
  waitForEmail(address: string, subject?: RegExp): Promise<ReceivedEmail>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedEmail[] = [];
  let running: SMTPServer | undefined;
  let port = 0;
  const server: MailServer = {
    url: '',
    received,
    refusal: undefined,
    async open() {
      running = createSmtpServer(server);
      running.listen(port, '127.0.0.1');
      await once(running.server, 'listening');
      const address = running.server.address();
      if (address && typeof address === 'object') port = address.port;
      server.url = `smtp://127.0.0.1:${port}`;
    },
    async close() {
      await new Promise<void>((resolve) => (running ? running.close(() => resolve()) : resolve()));
      running = undefined;
    },
    waitForEmail: (address, subject = /^(?!Security notice)/) =>
      vi.waitFor(
        () => {
          const index = received.findIndex(
            ({ to, headers }) => to.includes(address) && subject.test(headers.get('subject') ?? ''),
          );
          const [mail] = index < 0 ? [] : received.splice(index, 1);
          if (!mail) throw new Error(`no mail to ${address}`);
          return mail;
        },
        { timeout: 25_000, interval: 20 },
      ),
  };
  await server.open();
  afterAll(() => server.close());
  return server;
}

function createSmtpServer(server: MailServer): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      server.refusal ? done(Object.assign(new Error(server.refusal.message), server.refusal)) : done(),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((raw) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        server.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parseMail(raw) });
        done();
      });
    },
  });
}

function parseMail(raw: string): Omit<ReceivedEmail, 'from' | 'to'> {
  const { headers, body } = parseEntity(raw);
  const type = headers.get('content-type') ?? '';
  return { raw, headers, body, parts: type.startsWith('multipart/alternative') ? parseParts(type, body) : undefined };
}

function parseParts(type: string, body: string): ReceivedEmail['parts'] {
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parseEntity(part.trimStart()));
  const find = (mediaType: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(mediaType));
    if (!part) throw new Error(`The email has no ${mediaType}.`);
    return decodePart(part).replaceAll('\r\n', '\n');
  };
  return { text: find('text/plain'), html: find('text/html') };
}

function decodePart({ headers, body }: Pick<ReceivedEmail, 'headers' | 'body'>): string {
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function parseEntity(raw: string): Pick<ReceivedEmail, 'headers' | 'body'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: raw.slice(end + 4).trimEnd() };
}
