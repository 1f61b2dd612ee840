import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { signInAsNewUser } from './accounts.ts';
import { test } from './test.ts';

test('a user signs in, lets an assistant check and read, finds it in the account and disconnects it', async ({
  page,
}) => {
  const assistant = createServer((_request, response) => response.end('Connected')).listen(0, '127.0.0.1');
  await once(assistant, 'listening');
  const { port } = assistant.address() as AddressInfo;
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  const registered = await page.request.post('/api/oauth/register', {
    data: { client_name: 'Claude', redirect_uris: [redirectUri] },
  });
  const { client_id } = await registered.json();
  const request = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'check read write',
  });
  await signInAsNewUser(page);
  await page.goto(`/api/oauth/authorize?${request}`);
  await expect(page.getByRole('heading', { name: 'Connect an assistant' })).toBeVisible();
  await expect(page.getByText(`127.0.0.1:${port}`)).toBeVisible();
  const scopes = page.getByRole('group', { name: 'The assistant can' });
  await expect(scopes.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/callback\?code=[\w-]+&iss=/);
  assistant.close();

  await page.goto('/account?tab=api-keys');
  const assistants = page.getByRole('list', { name: 'Connected assistants' });
  await expect(assistants).toContainText('Scopes: check, read');
  await assistants.getByRole('button', { name: 'Disconnect Claude' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(assistants).toHaveCount(0);
  await page.goto('/connect?request=of-no-request');
  await expect(page.getByText('This request has expired. Start again in the assistant')).toBeVisible();
});
