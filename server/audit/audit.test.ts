import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAdminCommand } from '../accounts/commands.ts';
import { rights } from '../security/rights-table.fixtures.ts';
import { type Ask, addressOf, createScenario, type Method } from '../security/scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, context, people } = scenario;
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const acts = () => context.db.selectFrom('admin_acts').select(['act', 'username']).orderBy('id').execute();

/** Does something while the log takes no row. */
async function withoutLog<T>(work: () => Promise<T>): Promise<T> {
  await context.pool.query('alter table admin_acts add constraint closed check (false) not valid');
  try {
    return await work();
  } finally {
    await context.pool.query('alter table admin_acts drop constraint closed');
  }
}

const acting = app.allRoutes.flatMap(({ method, url, config }) =>
  config?.act && method !== 'HEAD' ? [{ name: `${method} ${url}`, act: config.act }] : [],
);

test.each(acting)('$name is done together with its act or not at all', async ({ name, act }) => {
  const [method, path = '/'] = name.split(' ');
  const asking = async () => (await rights[name]?.ask?.(scenario, people.owner)) ?? {};
  const send = ({ body, payload, headers, ...place }: Ask) =>
    call(method as Method, addressOf(path, place), {
      as: people.admin.cookie,
      ...(body && { body }),
      ...(payload && { payload }),
      ...(headers && { headers }),
    });
  const ask = await asking();
  await scenario.waitForIdle();
  const [before, stored, log] = [await scenario.contents(), await files(), await acts()];
  const refused = await withoutLog(() => send(ask));
  expect([refused.statusCode, refused.json().code]).toEqual([500, 'internal']);
  expect(await scenario.contents()).toEqual(before);
  expect(await files()).toEqual(stored);
  const taken = await send(ask);
  expect([200, 201, 202, 204], taken.body).toContain(taken.statusCode);
  expect(await acts()).toEqual([...log, { act, username: people.admin.username }]);
});

test.each(['create', 'grant', 'revoke', 'reset'])('so is %s at the command line', async (verb) => {
  const { username } = await scenario.signUp({ admin: verb === 'revoke' });
  const name = verb === 'create' ? 'made-at-the-command-line' : username;
  const lines: string[] = [];
  const before = await scenario.contents();
  const failing = withoutLog(() => runAdminCommand(context, [verb, name], (line) => lines.push(line)));
  await expect(failing).rejects.toThrow('closed');
  expect([await scenario.contents(), lines]).toEqual([before, []]);
  await runAdminCommand(context, [verb, name], (line) => lines.push(line));
  expect(lines).toHaveLength(1);
});
