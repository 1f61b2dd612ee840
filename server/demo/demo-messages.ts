import type { Context } from '../context.ts';
import { noAudit } from '../http/scope.ts';
import { markRead, markReplied, sendMessage, sendReport } from '../messages/messages.ts';
import { firstDomains } from './store.ts';

const hour = 3_600_000;

const reports = [
  'This shop was sold last year. The new owner no longer takes paid posts, could you have another look at it?',
  'I found the same offer on a second marketplace, the price is twice as high there.',
];

/** What came in through the contact form, oldest first. */
const letters: {
  name: string;
  subject: string;
  message: string;
  hoursAgo: number;
  state: 'new' | 'read' | 'replied';
}[] = [
  {
    name: 'Priya Nair',
    subject: 'Is there a limit on the size of exports?',
    message:
      'Hello,\n\nour largest client has about 2 million backlinks. Can I upload the export in parts, and will the reports add up?\n\nThank you\nPriya',
    hoursAgo: 24 * 12,
    state: 'replied',
  },
  {
    name: 'Tomás Ferreira',
    subject: 'Feature request: compare two websites',
    message:
      'I would love to see the toxicity of two profiles side by side, over time. Happy to test an early version of it.',
    hoursAgo: 24 * 5,
    state: 'read',
  },
  {
    name: 'Jonas Lindqvist',
    subject: 'Help with a disavow file',
    message: 'The search console says "invalid syntax in line 1" for the file that I saved. What did I do wrong?',
    hoursAgo: 24 * 2,
    state: 'new',
  },
  {
    name: 'Mei Tanaka',
    subject: 'Consulting for a penalty recovery',
    message:
      'We bought a shop whose former owner had bought many links. Could you put us in touch with somebody who cleans this up?',
    hoursAgo: 5,
    state: 'new',
  },
];

/** Fills the inbox with messages in every state. No mail is sent of it: the demonstration's admin has a made-up address. */
export async function fillInbox(context: Context, userId: number): Promise<void> {
  const quiet: Context = { ...context, config: { ...context.config, mail: undefined } };
  for (const { hoursAgo, state, ...letter } of letters) {
    const at = new Date(context.now().getTime() - hoursAgo * hour);
    const email = `${letter.name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]+/g, '.')}@mail.example`;
    const sender = { userId: undefined, address: 'demo' };
    const id = await sendMessage({ ...quiet, now: () => at }, { ...letter, email }, sender);
    if (id !== undefined && state === 'read') await markRead(quiet, id, noAudit);
    if (id !== undefined && state === 'replied') await markReplied(quiet, id, noAudit);
  }
  for (const [i, domain] of (await firstDomains(context.db, reports.length)).entries()) {
    await sendReport(quiet, userId, domain, reports[i] ?? '');
  }
}
