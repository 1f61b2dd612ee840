import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { catalogue } from './catalogue.ts';
import { runFeedCommand } from './commands.ts';
import { feedJob } from './jobs.ts';
import { startListServer } from './list-server.fixtures.ts';

const server = await startListServer();
const { context } = await startTestApp(
  { ALLOW_PRIVATE_ADDRESSES: '1', FEED_MIRROR_URL: server.url('') },
  { work: [feedJob] },
);

afterEach(() => {
  process.exitCode = undefined;
});

async function run(...words: string[]) {
  const lines: string[] = [];
  await runFeedCommand(context, words, (line) => lines.push(line));
  return { output: lines.join('\n'), exitCode: process.exitCode ?? 0 };
}

const serve = (key: string, content: string) => {
  const { url } = catalogue.find((entry) => entry.key === key) ?? { url: '' };
  server.serve(decodeURI(new URL(url).pathname), content);
};

test('a list is added by its key and loaded at once', async () => {
  serve('matomo-referrer-spam', 'spam-one.com\nspam-two.com\ngoogle.com\n');
  expect(await run('add', 'matomo-referrer-spam')).toEqual({
    output: 'Matomo Referrer Spam List was added. It lists 2 domains. 1 is held for review.',
    exitCode: 0,
  });
  expect(server.requests, 'the worker of the server does not download it too').toHaveLength(1);
  const domains = await context.db.selectFrom('domains').select('name').orderBy('name').execute();
  expect(domains.map(({ name }) => name)).toEqual(['spam-one.com', 'spam-two.com']);
  const event = await context.db.selectFrom('audit_events').select(['username', 'event']).executeTakeFirst();
  expect(event).toEqual({ username: 'command line', event: 'Added a feed' });
  expect((await run('list')).output).toMatch(
    /^matomo-referrer-spam +Matomo Referrer Spam List, 2,300 domains, Public domain \(added\)$/m,
  );
});

test('a list that cannot be loaded stays, and the command fails', async () => {
  expect(await run('add', 'top-sites')).toEqual({
    output:
      'Top Sites was added, but its list could not be loaded: The server responded with 404 Not Found. Check the address of the list. The server tries again.',
    exitCode: 1,
  });
  const feed = await context.db
    .selectFrom('feeds')
    .select('failures')
    .where('name', '=', 'Top Sites')
    .executeTakeFirst();
  expect(feed).toEqual({ failures: 1 });
});

test.each([
  [[], 'Usage: npm run admin -- feeds list, or feeds add KEY'],
  [['add'], 'Usage: npm run admin -- feeds list, or feeds add KEY'],
  [['add', 'nothing'], 'The catalogue has no list with the key nothing.'],
  [['add', 'matomo-referrer-spam'], 'You already subscribe to Matomo Referrer Spam List.'],
])('feeds %j prints what is wrong', async (words, output) => {
  expect(await run(...words)).toEqual({ output, exitCode: 1 });
});
