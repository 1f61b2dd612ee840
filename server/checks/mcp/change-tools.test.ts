import { expect, test, vi } from 'vitest';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { buildSite } from '../../blacklist/submissions/submissions.fixtures.ts';
import { startMcpApp } from './mcp.fixtures.ts';

const { call, context, signUp, connect, createKey, callTool, failTool } = await startMcpApp();

async function createAssistant(scopes?: ApiKeyScope[]) {
  const { cookie } = await signUp();
  const client = await connect(await createKey(cookie, scopes));
  const domain = `site-${crypto.randomUUID()}.example`;
  const { id: websiteId } = (await call('POST', '/api/profiles', { as: cookie, body: { domain } })).json();
  const listDecisions = async () =>
    (await call('GET', `/api/profiles/${websiteId}/decisions`, { as: cookie })).json().decisions;
  return { cookie, client, domain, websiteId, listDecisions };
}

test('an assistant with the scope write decides, as the report screen does', async () => {
  const { client, domain, websiteId, listDecisions } = await createAssistant(['write']);
  const domains = ['a.test', 'www.A.test', 'b.test'];
  const { data, texts } = await callTool(client, 'decide', { websiteId, domains, decision: 'disavow', note: 'paid' });
  expect(data).toEqual({ websiteId, website: domain, decision: 'disavow', changed: 2 });
  expect(texts[0]).toBe(`The decision about 2 domains of ${domain} is now "disavow".`);
  await callTool(client, 'decide', { websiteId, domains: ['b.test'], decision: null, note: '' });
  expect(await listDecisions()).toMatchObject([{ domain: 'a.test', decision: 'disavow', note: 'paid' }]);
});

test('an assistant with the scope write submits a site, under the rules of the form', async () => {
  const { client, cookie } = await createAssistant(['write']);
  const { domainRating: _, ...site } = buildSite('seller.test', { evidence: 'Sells links on its page of prices.' });
  expect((await callTool(client, 'submit_site', site)).data).toMatchObject({
    domain: 'seller.test',
    status: 'pending',
  });
  expect(await failTool(client, 'submit_site', { ...site, evidence: 'bad' })).toContain(
    'more details about your evidence',
  );
  const { total } = (await call('GET', '/api/site-submissions/mine', { as: cookie })).json();
  expect(total).toBe(1);
});

test('without the scope write, and for a website of another user, nothing changes', async () => {
  const reader = await createAssistant();
  const decision = { domains: ['a.test'], decision: 'keep' };
  expect(await failTool(reader.client, 'decide', { ...decision, websiteId: reader.websiteId })).toContain('write');
  const other = await createAssistant(['write']);
  expect(await failTool(other.client, 'decide', { ...decision, websiteId: reader.websiteId })).toContain('no website');
  expect(await reader.listDecisions()).toEqual([]);
  const reserve = vi.spyOn(context.files, 'isReserveReached').mockResolvedValue(true);
  const written = failTool(other.client, 'decide', { ...decision, websiteId: other.websiteId });
  expect(await written.finally(() => reserve.mockRestore())).toContain('no disk space left');
  expect(await other.listDecisions()).toEqual([]);
});
