import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import { numRuns } from '../../num-runs.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { refreshDomains } from './queries.ts';
import { buildSourceData } from './sources.fixtures.ts';

const app = await startTestApp();
const { db } = app.context;
const { createListedDomains, createSource, listMismatches, listWrongFacts } = buildSourceData(app);

const sourceNames = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
/** The sources of each domain. */
const lists = fc.array(fc.uniqueArray(fc.constantFrom(...sourceNames), { minLength: 1 }), {
  minLength: 1,
  maxLength: 6,
});

async function clear(): Promise<void> {
  await sql`truncate domains, listings`.execute(db);
  await sql`delete from sources`.execute(db);
  await sql`delete from families`.execute(db);
}

const createFamily = async (name: string) =>
  (await db.insertInto('families').values({ name }).returning('id').executeTakeFirstOrThrow()).id;

async function listRisks(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('domains').select(['name', 'risk_level as risk']).execute();
  return Object.fromEntries(rows.map(({ name, risk }) => [name, risk]));
}

const toDomains = (given: readonly (readonly string[])[]) =>
  Object.fromEntries(given.map((sources, index) => [`d${index}.test`, sources]));

test('without families, 1 source is low, 2 and 3 are medium, 4 are high, 5 and more are very high', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (given) => {
      await clear();
      await createListedDomains(toDomains(given));
      const risks = await listRisks();
      for (const [index, sources] of given.entries()) {
        const { length } = sources;
        expect([sources, risks[`d${index}.test`]]).toEqual([
          sources,
          length === 1 ? 1 : length < 4 ? 2 : length === 4 ? 3 : 4,
        ]);
      }
    }),
    { numRuns: numRuns(30) },
  );
});

test('a copy of a list in the family of that list never raises a risk level', async () => {
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.constantFrom(...sourceNames),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: sourceNames.length, maxLength: sourceNames.length }),
      fc.boolean(),
      async (given, original, families, isPartial) => {
        await clear();
        const familyIds = [undefined, await createFamily('one'), await createFamily('two')];
        for (const [index, name] of sourceNames.entries()) {
          const familyId = familyIds[families[index] ?? 0];
          await createSource(name, familyId === undefined ? {} : { familyId });
        }
        await createListedDomains(toDomains(given));
        const before = await listRisks();

        const originalId = await createSource(original);
        const { family_id: known } = await db
          .selectFrom('sources')
          .select('family_id')
          .where('id', '=', originalId)
          .executeTakeFirstOrThrow();
        const familyId = known ?? (await createFamily('copies'));
        await db.updateTable('sources').set({ family_id: familyId }).where('id', '=', originalId).execute();
        const copyId = await createSource('copy', { familyId });
        await sql`
          insert into listings (name, source_id, first_seen_at, last_seen_at)
          select name, ${copyId}, now(), now() from listings
          where source_id = ${originalId} ${isPartial ? sql`and name <> 'd0.test'` : sql``}
        `.execute(db);
        await db.transaction().execute((trx) => refreshDomains(trx, Object.keys(before), new Date()));

        const after = await listRisks();
        for (const [name, risk] of Object.entries(before)) {
          expect([name, Math.max(risk, after[name] ?? 0)]).toEqual([name, risk]);
        }
        expect(await listMismatches()).toEqual([]);
      },
    ),
    { numRuns: numRuns(40) },
  );
});

const listing = fc.record(
  {
    source: fc.constantFrom('Community', ...sourceNames),
    price: fc.constant('$5'),
    evidenceUrl: fc.constant('https://shop.example/'),
    withdrawn: fc.boolean(),
  },
  { requiredKeys: ['source'] },
);
const domain = fc.record({
  listings: fc.uniqueArray(listing, { selector: ({ source }) => source, minLength: 1 }),
  givenRisk: fc.option(fc.integer({ min: 1, max: 4 })),
});
const sourceCells = fc.record({ kind: fc.constantFrom(...sourceKinds), family: fc.integer({ min: 0, max: 2 }) });

test('risk, confidence and independent sources follow from the active listings, and a level set by hand stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(domain, { minLength: 1, maxLength: 6 }),
      fc.tuple(sourceCells, ...sourceNames.map(() => sourceCells)),
      async (domains, sources) => {
        await clear();
        const families = [undefined, await createFamily('one'), await createFamily('two')];
        for (const [index, { kind, family }] of sources.entries()) {
          const familyId = families[family];
          await createSource(sourceNames[index] ?? 'Community', { kind, ...(familyId !== undefined && { familyId }) });
        }
        await createListedDomains(
          Object.fromEntries(domains.map(({ listings }, index) => [`d${index}.test`, listings])),
        );
        expect(await listWrongFacts()).toEqual([]);

        const given = domains.flatMap(({ givenRisk }, index) => (givenRisk === null ? [] : { givenRisk, index }));
        for (const { givenRisk, index } of given) {
          await sql`
            update domains set risk_level = ${givenRisk}, risk_given = true where name = ${`d${index}.test`}
          `.execute(db);
        }
        const before = await listRisks();
        await sql`update domains set copies = 1, proof = 1, risk_level = case when risk_given then risk_level else 4 end`.execute(
          db,
        );
        await db.transaction().execute((trx) => refreshDomains(trx, Object.keys(before), new Date()));
        expect(await listWrongFacts()).toEqual([]);
        expect(await listRisks()).toEqual(before);
      },
    ),
    { numRuns: numRuns(60) },
  );
});
