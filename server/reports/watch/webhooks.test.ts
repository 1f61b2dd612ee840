import { expect, test } from 'vitest';
import type { WebhookDelivery } from '#shared/accounts/webhooks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

const testApp = await startTestApp({ PUBLIC_URL: 'https://links.example' });
const { call } = testApp;
const { createWebsite, setLevel, match } = buildWatchCalls(testApp);

test('a comparison queues one event for each website with alerts, with its ten most serious ones', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `hook-${i}.com`);
  const website = await createWebsite(names.map((name) => `https://${name}/`));
  await createWebsite(['https://elsewhere.com/']);
  const body = { url: 'https://hooks.example/', events: ['alert.created'] };
  const { id } = (await call('POST', '/api/webhooks', { as: website.as, body })).json();
  await setLevel('hook-0.com', 'low');
  await match();
  for (const name of names.slice(1)) await setLevel(name, 'medium');
  await setLevel('hook-0.com', 'very high');
  await match();
  const { deliveries } = (await call('GET', `/api/webhooks/${id}/deliveries`, { as: website.as })).json();
  const payloads = deliveries.map(({ payload }: WebhookDelivery) => payload);
  const event = (data: object) => ({
    type: 'alert.created',
    timestamp: expect.any(String),
    data: {
      runId: expect.any(Number),
      profileId: website.websiteId,
      website: website.domain,
      url: `https://links.example/alerts?website=${website.websiteId}`,
      ...data,
    },
  });
  const alert = { id: expect.any(Number), domain: 'hook-0.com', backlinks: 1 };
  expect(payloads).toEqual([
    event({ counts: { listed: 11, raised: 1 }, alerts: expect.any(Array) }),
    event({ counts: { listed: 1 }, alerts: [{ ...alert, event: 'listed', from: null, to: 'low' }] }),
  ]);
  const [{ data }] = payloads;
  expect(data.alerts[0]).toEqual({ ...alert, event: 'raised', from: 'low', to: 'very high' });
  expect(data.alerts).toHaveLength(10);
});
