import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAdminCommand } from '../accounts/commands.ts';
import { rights } from '../security/rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method, type TestRequest } from '../security/scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, context, users } = scenario;
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const acts = () => context.db.selectFrom('admin_acts').select(['act', 'username']).orderBy('id').execute();

/** Runs `work` while every insert into the audit log fails. */
async function withFailingLog<T>(work: () => Promise<T>): Promise<T> {
  await context.pool.query('alter table admin_acts add constraint closed check (false) not valid');
  try {
    return await work();
  } finally {
    await context.pool.query('alter table admin_acts drop constraint closed');
  }
}

const auditedRoutes = app.allRoutes.flatMap(({ method, url, config }) =>
  config?.act && method !== 'HEAD' ? [{ name: `${method} ${url}`, act: config.act }] : [],
);

test.each(auditedRoutes)('$name changes nothing unless its audit event is stored', async ({ name, act }) => {
  const [method, path = '/'] = name.split(' ');
  const buildRequest = async () => (await rights[name]?.buildRequest?.(scenario, users.owner)) ?? {};
  const send = ({ body, payload, headers, ...urlParts }: TestRequest) =>
    call(method as Method, buildUrl(path, urlParts), {
      as: users.admin.cookie,
      ...(body && { body }),
      ...(payload && { payload }),
      ...(headers && { headers }),
    });
  const request = await buildRequest();
  await scenario.waitForIdle();
  // A run deletes its uploaded file shortly after it has completed.
  await expect.poll(files).toEqual([]);
  const [before, log] = [await scenario.tableHashes(), await acts()];
  const failed = await withFailingLog(() => send(request));
  expect([failed.statusCode, failed.json().code]).toEqual([500, 'internal']);
  expect(await scenario.tableHashes()).toEqual(before);
  expect(await files()).toEqual([]);
  const accepted = await send(request);
  expect([200, 201, 202, 204], accepted.body).toContain(accepted.statusCode);
  expect(await acts()).toEqual([...log, { act, username: users.admin.username }]);
});

test.each(['create', 'grant', 'revoke', 'reset'])(
  'the %s command changes nothing unless its audit event is stored',
  async (verb) => {
    const { username } = await scenario.signUp({ admin: verb === 'revoke' });
    const name = verb === 'create' ? 'made-at-the-command-line' : username;
    const lines: string[] = [];
    const before = await scenario.tableHashes();
    const failing = withFailingLog(() => runAdminCommand(context, [verb, name], (line) => lines.push(line)));
    await expect(failing).rejects.toThrow('closed');
    expect([await scenario.tableHashes(), lines]).toEqual([before, []]);
    await runAdminCommand(context, [verb, name], (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  },
);
