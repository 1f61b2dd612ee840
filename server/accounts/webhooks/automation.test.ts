import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { sendDueDeliveries } from './deliver.ts';
import { buildWebhookCalls, type ReceivedRequest, startReceiver } from './receiver.fixtures.ts';

/** Runs the recipes of docs/automation.md: the workflows for n8n, and the texts for Zapier. */
const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1', PUBLIC_URL: 'https://links.example' });
const { app, call, context, signUp } = testApp;
const { createWebhook, queue } = buildWebhookCalls(testApp, await startReceiver());
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'example.org', source: 'a, b' } });
const key: string = (await call('POST', '/api/api-keys', { as: admin.cookie, body: {} })).json().keyValue;

const origin = 'https://links.example.com';
const readPage = (name: string) => readFile(join(import.meta.dirname, '../../../docs', name), 'utf8');
const page = await readPage('automation.md');
const require = createRequire(import.meta.url);
const allowedModules = { require: (name: string) => (name === 'crypto' ? require(name) : undefined), Buffer };
const toPlain = (value: unknown) => JSON.parse(JSON.stringify(value));

interface Workflow {
  nodes: { name: string; type: string; parameters: Record<string, unknown> }[];
  connections: Record<string, { main: { node: string }[][] }>;
}
interface Item {
  json: Record<string, unknown>;
}

const readWorkflow = async (name: string): Promise<Workflow> => (await call('GET', `/${name}`)).json();

/** Runs the code of a node as n8n does. `body` is the raw body that the Webhook node adds. */
async function runCode({ nodes }: Workflow, name: string, items: Item[], { body = '', now = Date.now() } = {}) {
  const code = nodes.find((node) => node.name === name)?.parameters.jsCode;
  const $input = { all: () => items, first: () => items[0] };
  const run = vm.runInNewContext(`Date.now = () => ${now}; (async function () {${code}})`, {
    ...allowedModules,
    $input,
  });
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) };
  return toPlain(await run.call({ helpers })) as Item[];
}

/** Sends a request of a recipe to this server, in place of the host in the recipe. */
function send(method: unknown, url: unknown, headers: Record<string, string>, payload: string) {
  const text = String(url);
  expect([method, text.startsWith(`${origin}/`)]).toEqual(['POST', true]);
  return app.inject({ method: 'POST', url: text.slice(origin.length), headers, payload });
}

test.each(['linksieve-n8n-check.json', 'linksieve-n8n-webhook.json'])('the nodes of %s form a chain', async (name) => {
  const { nodes, connections } = await readWorkflow(name);
  const [first, ...others] = nodes.map((node) => node.name);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  expect([first, ...targets]).toEqual([first, ...others]);
  expect(Object.keys(connections)).toEqual([first, ...others.slice(0, -1)]);
});

test('the workflow for n8n sends its domains in calls that the server accepts', async () => {
  const workflow = await readWorkflow('linksieve-n8n-check.json');
  const calls = await runCode(workflow, 'Split into calls', await runCode(workflow, 'Domains', []));
  const request = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.httpRequest');
  const { method, url, authentication, genericAuthType, sendBody, contentType, specifyBody, jsonBody, options } =
    request?.parameters ?? {};
  expect([authentication, genericAuthType, sendBody, contentType, specifyBody]).toEqual([
    'genericCredentialType',
    'httpHeaderAuth',
    true,
    'json',
    'json',
  ]);
  expect(options).toMatchObject({ redirect: { redirect: { followRedirects: false } } });
  const expression = /^=\{\{(.*)\}\}$/.exec(String(jsonBody))?.[1] ?? '';
  const body = String(vm.runInNewContext(expression, { $json: calls[0]?.json }));
  const response = await send(method, url, { 'X-API-Key': key, 'Content-Type': 'application/json' }, body);
  expect(response.statusCode).toBe(200);
  const { fieldToSplitOut } = workflow.nodes.at(-1)?.parameters ?? {};
  expect(response.json()[String(fieldToSplitOut)]).toMatchObject([
    { domain: 'example.com', listed: false },
    { domain: 'blog.example.org', listed: true, matchedDomain: 'example.org' },
  ]);
});

test('the workflow for n8n sends each name once, up to 500 in a call', async () => {
  const workflow = await readWorkflow('linksieve-n8n-check.json');
  const domains = [...Array.from({ length: 501 }, (_, i) => `a${i}.example`), 'a0.example ', '', null];
  const items = domains.map((domain) => ({ json: { domain } }));
  const calls = await runCode(workflow, 'Split into calls', items);
  expect(calls.map(({ json }) => (json.domains as string[]).length)).toEqual([500, 1]);
});

/** Delivers a real event to a new webhook. */
async function deliver(): Promise<{ secret: string; request: ReceivedRequest }> {
  const { user, secret, requests } = await createWebhook();
  await queue(user.id);
  await sendDueDeliveries(context, new AbortController().signal);
  const [request] = requests();
  if (!request) throw new Error('Nothing was sent.');
  return { secret, request };
}

/** A run of code that verifies a request, and returns the event. */
type Verify = (secret: string, request: ReceivedRequest, now?: number) => Promise<unknown>;

const verifyInN8n: Verify = async (secret, { headers, body }, now) => {
  const workflow = await readWorkflow('linksieve-n8n-webhook.json');
  const [webhook, verify] = workflow.nodes;
  expect(webhook?.parameters).toMatchObject({ httpMethod: 'POST', options: { rawBody: true } });
  if (verify) verify.parameters.jsCode = String(verify.parameters.jsCode).replace('YOUR_WEBHOOK_SECRET', secret);
  const [item] = await runCode(workflow, 'Verify', [{ json: { headers } }], { body, now });
  return item?.json;
};

const verifyInZapier: Verify = async (secret, { headers, body }, now = Date.now()) => {
  const code = /```js\n(.*?)```/s.exec(page)?.[1];
  const inputs: Record<string, unknown> = {
    secret,
    body,
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  };
  const described = [...page.matchAll(/^\| `(\w+)` \| (?:Raw Body|the )/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual(Object.keys(inputs).sort());
  const globals = vm.createContext({ ...allowedModules, inputData: inputs, output: undefined });
  vm.runInContext(`Date.now = () => ${now}; ${code}`, globals);
  return toPlain(globals.output);
};

test.each<[string, Verify]>([
  ['n8n', verifyInN8n],
  ['Zapier', verifyInZapier],
])('the code for %s accepts a real delivery, and refuses changed, old and unsigned ones', async (_, verify) => {
  const { secret, request } = await deliver();
  expect(await verify(secret, request)).toEqual({ id: request.headers['webhook-id'], ...JSON.parse(request.body) });
  const rotated = { ...request.headers, 'webhook-signature': `v1,AAAA ${request.headers['webhook-signature']}` };
  expect(await verify(secret, { ...request, headers: rotated })).toMatchObject({ type: 'report.completed' });
  const { secret: otherSecret } = await deliver();
  const wrong: Parameters<Verify>[] = [
    [secret, { ...request, body: request.body.replace('300', '301') }],
    [secret, { ...request, headers: { ...request.headers, 'webhook-id': 'msg_other' } }],
    [secret, { ...request, headers: { ...request.headers, 'webhook-signature': 'v1,' } }],
    [otherSecret, request],
    [secret, request, Date.now() + 400_000],
    [secret, request, Date.now() - 400_000],
  ];
  for (const input of wrong) await expect(verify(...input)).rejects.toThrow('This request is not from Linksieve.');
});

test('the fields of the custom request for Zapier make a call that the server accepts', async () => {
  const rows = [...page.matchAll(/^\| ([\w -]+\??) \| (.*?) ?\|$/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }));
  const find = (name: string) => rows.find((row) => row.name === name)?.value.replaceAll('`', '');
  const headers = rows.flatMap(({ name, value }) => {
    const [, header = '', content = ''] = /^`(.+)`: `(.+)`$/.exec(value) ?? [];
    return name === 'Headers' ? [[header, content.replace('YOUR_API_KEY', key)]] : [];
  });
  expect(headers).toHaveLength(2);
  const response = await send(find('Method'), find('URL'), Object.fromEntries(headers), find('Data') ?? '');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ results: [{ listed: false }, { listed: true }], listed: 1, total: 2 });
});

test('a delivery has the fields that the pages about automation and webhooks list', async () => {
  const { request } = await deliver();
  const event = JSON.parse(request.body);
  const [, nested = ''] = /fields of the event as `type`, `timestamp`, (.*?) and so on/.exec(page) ?? [];
  const names = [...nested.matchAll(/`data__(\w+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(Object.keys(event)).toEqual(['type', 'timestamp', 'data']);
  expect(Object.keys(event.data)).toEqual(expect.arrayContaining(names));
  const [, row = ''] = /^\| `report\.completed` \|[^|]*\| (.*) \|$/m.exec(await readPage('webhooks.md')) ?? [];
  expect([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(Object.keys(event.data));
});
