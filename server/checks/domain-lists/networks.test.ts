import { expect, test } from 'vitest';
import { buildSourceData } from '../../blacklist/sources/sources.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildListCalls } from './lists.fixtures.ts';

const app = await startTestApp();
const { db } = app.context;
const { check, exportCsv } = buildListCalls(app);
const { createSource, createListedDomains } = buildSourceData(app);
const user = await app.signUp();
const admin = await app.signUp({ admin: true });

const createFamily = async (name: string) =>
  (await db.insertInto('families').values({ name }).returning('id').executeTakeFirstOrThrow()).id;
const makePublic = (...names: string[]) =>
  db.updateTable('sources').set({ is_public: true }).where('name', 'in', names).execute();

const [openFamily, mixedFamily] = [await createFamily('Open network'), await createFamily('Mixed network')];
await createSource('open 1', { familyId: openFamily });
await createSource('open 2', { familyId: openFamily });
await createSource('mixed open', { familyId: mixedFamily });
await createSource('mixed private', { familyId: mixedFamily });
await createListedDomains({
  'a.test': ['open 1', 'open 2', 'private'],
  'b.test': ['open 2', 'private', 'public'],
  'c.test': ['open 1', 'mixed private', 'public'],
  'd.test': ['mixed private', 'mixed open', 'rare'],
  'e.test': ['mixed open', { source: 'public', withdrawn: true }],
});
await makePublic('open 1', 'open 2', 'mixed open', 'public', 'rare');

const text = 'a.test\nx.a.test\nb.test\nc.test\nd.test\ne.test\nclean.test\nnot a name';

test('sources and families that list several domains are counted, the largest first', async () => {
  for (const options of [{}, { as: user.cookie }]) {
    const { networks, results } = await check(text, options);
    expect(networks).toEqual([
      { kind: 'family', name: 'Open network', domains: 4 },
      { kind: 'family', name: null, domains: 2 },
      { kind: 'source', name: 'mixed open', domains: 2 },
      { kind: 'source', name: 'public', domains: 2 },
    ]);
    expect(results.map((result) => ('networks' in result ? result.networks : undefined))).toEqual([
      [0],
      [0],
      [0, 3],
      [0, 1, 3],
      [1, 2],
      [2],
      [],
      undefined,
    ]);
  }
});

test('admins see the names of private sources and of their families', async () => {
  const { networks } = await check(text, { as: admin.cookie });
  expect(networks).toEqual([
    { kind: 'family', name: 'Open network', domains: 4 },
    { kind: 'family', name: 'Mixed network', domains: 3 },
    { kind: 'source', name: 'private', domains: 3 },
    { kind: 'source', name: 'public', domains: 2 },
  ]);
});

test('the CSV file names the shared sources of each domain', async () => {
  const { id } = await check(text);
  const { body } = await exportCsv(id);
  expect(body).toContain('Open network; A family whose name is not public; public');
  expect(body).not.toMatch(/private|Mixed network/);
});
