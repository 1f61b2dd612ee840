import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

const testApp = await startTestApp({}, { worker: true });
const { createWebsite, setLevel, listAlerts } = buildWatchCalls(testApp);

test('a worker matches every change, one after the other', async () => {
  const website = await createWebsite(['https://running-one.com/', 'https://running-two.com/']);
  await setLevel('running-one.com', 'low');
  const alerts = ['listed running-one.com: none to low'];
  await expect.poll(() => listAlerts(website), { timeout: 60_000 }).toEqual(alerts);
  await setLevel('running-one.com', 'high');
  await expect
    .poll(() => listAlerts(website), { timeout: 60_000 })
    .toEqual(['raised running-one.com: low to high', ...alerts]);
});
