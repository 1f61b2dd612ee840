import { expect, test } from 'vitest';
import { replyMailtoUrl } from './message-dialog.tsx';

const message = {
  id: 1,
  name: 'Ada & Co',
  email: 'ada+x@mail.example',
  subject: 'A question?',
  message: 'One\n\nTwo & three',
  dateCreated: '2026-11-21T03:00:00.000Z',
  read: true,
  replied: false,
  domainId: null,
  appealId: null,
};

test('the mailto URL contains the subject and the quoted message', () => {
  const url = new URL(replyMailtoUrl(message));
  expect(url.pathname).toBe('ada%2Bx@mail.example');
  expect(url.searchParams.get('subject')).toBe('Re: A question?');
  expect(url.searchParams.get('body')).toBe('\r\n\r\nAda & Co wrote:\r\n> One\r\n> \r\n> Two & three');
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body']);
});

test('nothing in a message can add a recipient', () => {
  const hostile = { ...message, email: 'a@b.example?bcc=eve@mail.example', subject: 'x&bcc=eve@mail.example' };
  const url = new URL(replyMailtoUrl(hostile));
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body']);
});

test('does not repeat Re: in the subject, and cuts off a long message', () => {
  const long = replyMailtoUrl({ ...message, subject: 'RE: A question', message: '😀'.repeat(5000) });
  expect(new URL(long).searchParams.get('subject')).toBe('RE: A question');
  expect([...(new URL(long).searchParams.get('body') ?? '')].length).toBeLessThan(1300);
});
