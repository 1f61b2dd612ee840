import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAdminCommand } from '../../accounts/accounts/commands.ts';
import { getStatuses, rights } from '../../security/rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method, type TestRequest } from '../../security/scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, context, users } = scenario;
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const events = () => context.db.selectFrom('audit_events').select(['event', 'username']).orderBy('id').execute();

/** Runs `work` while every insert into the audit log fails. */
async function withFailingLog<T>(work: () => Promise<T>): Promise<T> {
  await context.pool.query('alter table audit_events add constraint closed check (false) not valid');
  try {
    return await work();
  } finally {
    await context.pool.query('alter table audit_events drop constraint closed');
  }
}

const auditedRoutes = app.allRoutes.flatMap(({ method, url, config }) =>
  config?.auditEvent && method !== 'HEAD' ? [{ name: `${method} ${url}`, event: config.auditEvent }] : [],
);

test.each(auditedRoutes)('$name changes nothing unless its audit event is stored', async ({ name, event }) => {
  const [method, path = '/'] = name.split(' ');
  const right = rights[name];
  // Not even an admin can act for the owner of an appeal or of an account.
  const isPersonal = right && (right.needsNewUser || getStatuses(right, 'admin').includes(404));
  const by = isPersonal ? users.owner : users.admin;
  const buildRequest = async () => (await right?.buildRequest?.(scenario, users.owner)) ?? {};
  const send = ({ body, payload, headers, ...urlParts }: TestRequest) =>
    call(method as Method, buildUrl(path, urlParts), {
      as: by.cookie,
      ...(body && { body }),
      ...(payload && { payload }),
      ...(headers && { headers }),
    });
  const request = await buildRequest();
  await scenario.waitForIdle();
  // A run deletes its uploaded file shortly after it has completed.
  await expect.poll(files).toEqual([]);
  const [before, log] = [await scenario.workHashes(), await events()];
  const failed = await withFailingLog(() => send(request));
  expect([failed.statusCode, failed.json().code]).toEqual([500, 'internal']);
  expect(await scenario.workHashes()).toEqual(before);
  expect(await files()).toEqual([]);
  const accepted = await send(request);
  expect([200, 201, 202, 204], accepted.body).toContain(accepted.statusCode);
  expect(await events()).toEqual([...log, { event, username: by.username }]);
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
