import { expect, test } from 'vitest';
import { buildBody, type WebhookEvent } from './events.ts';

const timestamp = '2026-03-01T06:00:00.000Z';
const origin = 'https://links.example';

const toChat = ({ type, data }: Pick<WebhookEvent, 'type' | 'data'>) =>
  buildBody({ type, timestamp, data: { ...data } }, 'chat', origin) as { text: string; content: string };

const alerts = { runId: 1, profileId: 2, website: 'shop.example', url: '/alerts?website=2&unread=true' };
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
    [
      '`shop.example`: 9 domains listed, 1 raised, 2 lowered, 1 delisted',
      '• `casino.example` now on the blacklist: Very High risk, 3 links',
      '• `raised.example` raised from Low to High risk, 1 link',
      '• `lowered.example` lowered from High to Low risk, 2 links',
      '• `gone.example` no longer on the blacklist, 1 link',
      'and 9 more changes',
    ].join('\n'),
    {
      type: 'alert.created',
      data: {
        ...alerts,
        counts: { listed: 9, raised: 1, lowered: 2, delisted: 1 },
        alerts: [
          { id: 1, domain: 'casino.example', event: 'listed', from: null, to: 'very high', backlinks: 3 },
          { id: 2, domain: 'raised.example', event: 'raised', from: 'low', to: 'high', backlinks: 1 },
          { id: 3, domain: 'lowered.example', event: 'lowered', from: 'high', to: 'low', backlinks: 2 },
          { id: 4, domain: 'gone.example', event: 'delisted', from: 'high', to: null, backlinks: 1 },
        ],
      },
    },
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
