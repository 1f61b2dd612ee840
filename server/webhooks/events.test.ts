import { expect, test } from 'vitest';
import { buildBody, type WebhookEvent } from './events.ts';

const timestamp = '2026-03-01T06:00:00.000Z';
const origin = 'https://links.example';

const toChat = ({ type, data }: Pick<WebhookEvent, 'type' | 'data'>) =>
  buildBody({ type, timestamp, data: { ...data } }, 'chat', origin) as { text: string; content: string };

const alert = {
  alertId: 1,
  profileId: 2,
  website: 'shop.example',
  domain: 'casino.example',
  backlinks: 3,
  url: '/alerts?website=2&unread=true',
};
const report = {
  reportId: 1,
  profileId: 2,
  website: 'shop.example',
  totalBacklinks: 9,
  toxicityPercentage: null,
  toxicityRating: 'low' as const,
  url: '/reports/1',
};

test.each<[sentence: string, event: Pick<WebhookEvent, 'type' | 'data'>]>([
  [
    '`casino.example`, which links to `shop.example`, was added to the blacklist. Risk: very high.',
    { type: 'alert.created', data: { ...alert, event: 'listed', from: null, to: 'very high' } },
  ],
  [
    'The risk of `casino.example`, which links to `shop.example`, was raised from low to high.',
    { type: 'alert.created', data: { ...alert, event: 'raised', from: 'low', to: 'high' } },
  ],
  [
    'The risk of `casino.example`, which links to `shop.example`, was lowered from high to low.',
    { type: 'alert.created', data: { ...alert, event: 'lowered', from: 'high', to: 'low' } },
  ],
  [
    '`casino.example`, which links to `shop.example`, was removed from the blacklist.',
    { type: 'alert.created', data: { ...alert, event: 'delisted', from: 'high', to: null } },
  ],
  [
    'The report for `shop.example` is ready. Listed: 1 of 1 referring domain.',
    { type: 'report.completed', data: { ...report, toxicDomains: 1, uniqueDomains: 1 } },
  ],
  [
    'The report for `shop.example` is ready. Listed: 4 of 40 referring domains.',
    { type: 'report.completed', data: { ...report, toxicDomains: 4, uniqueDomains: 40 } },
  ],
  [
    'The feed `A list` could not be refreshed: `Not found.`',
    { type: 'feed.failed', data: { feedId: 1, name: 'A list', reason: 'Not found.', url: '/admin/feeds?feed=1' } },
  ],
  [
    'A copy of the feed `A list` needs review. It would add 1 and remove 40 domains.',
    { type: 'feed.review', data: { feedId: 1, name: 'A list', added: 1, removed: 40, url: '/admin/feeds?feed=1' } },
  ],
])('the chat format says: %s', (sentence, event) => {
  const { text, content, ...more } = toChat(event);
  expect(more).toEqual({});
  expect(content).toBe(`${sentence}\n${origin}${event.data.url}`);
  expect(text).toBe(content.replaceAll('&', '&amp;'));
});

test.each([
  ['<!channel>', '`&lt;!channel&gt;`', '`<!channel>`'],
  ['<https://evil.example|click>', '`&lt;https://evil.example|click&gt;`', '`<https://evil.example|click>`'],
  ['@everyone', '`@\u200beveryone`', '`@\u200beveryone`'],
  ['<@1234>', '`&lt;@\u200b1234&gt;`', '`<@\u200b1234>`'],
  ['` *bold* `', "`' *bold* '`", "`' *bold* '`"],
  ['a\n> b\u202e\u2028c', '`a &gt; b c`', '`a > b c`'],
  ['x'.repeat(400), `\`${'x'.repeat(300)}…\``, `\`${'x'.repeat(300)}…\``],
])('the name %j adds no markup, link, mention or line to a chat message', (name, forSlack, forDiscord) => {
  const { text, content } = toChat({
    type: 'feed.failed',
    data: { feedId: 1, name, reason: 'Not found.', url: '/admin/feeds?feed=1' },
  });
  const end = `\n${origin}/admin/feeds?feed=1`;
  expect(text).toBe(`The feed ${forSlack} could not be refreshed: \`Not found.\`${end}`);
  expect(content).toBe(`The feed ${forDiscord} could not be refreshed: \`Not found.\`${end}`);
});

test('the standard format keeps hostile names as data', () => {
  const data = { feedId: 1, name: '<!channel> `@everyone`', reason: '', url: '/admin/feeds?feed=1' };
  expect(buildBody({ type: 'feed.failed', timestamp, data }, 'standard', origin)).toEqual({
    type: 'feed.failed',
    timestamp,
    data: { ...data, url: `${origin}/admin/feeds?feed=1` },
  });
});
