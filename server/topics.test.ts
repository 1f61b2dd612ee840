import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from './test-app.fixtures.ts';
import type { TableFacts } from './topic.ts';
import { topics } from './topics.ts';

const { context } = await startTestApp();
const { db } = context;

/** The tables of the schema itself. */
const ofSchema = ['migrations'];
/** Columns with personal texts. */
const personalNames = ['email', 'username', 'added_by', 'started_by', 'address'];

const facts = new Map<string, TableFacts>(topics.flatMap(({ tables }) => Object.entries(tables ?? {})));

interface Table {
  name: string;
  columns: string[];
  /** What the deletion of an account or a website does to the rows that refer to it: c for cascade, n for set null. */
  deletions: string[];
}

/** Reads the tables and their columns that refer to accounts and websites, or have personal texts. */
async function listTables(): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname::text as name,
      array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped
        and (attname = any(${personalNames}) or attname ~ '(^|_)(user|website)_id$')) as columns,
      array(select confdeltype::text from pg_constraint where conrelid = pg_class.oid and contype = 'f'
        and confrelid in ('users'::regclass, 'websites'::regclass)) as deletions
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
  `.execute(db);
  return rows.filter(({ name }) => !ofSchema.includes(name));
}
const tables = await listTables();
const personal = tables.filter(({ columns, deletions }) => columns.length > 0 || deletions.length > 0);

test('every table belongs to exactly one topic', () => {
  const owned = topics.flatMap((topic) => Object.keys(topic.tables ?? {}));
  expect(owned.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test('every table has a retention or a reason to keep its rows, and not both', () => {
  const expiring = topics.flatMap(({ retention = [] }) => retention.map(({ table }) => table as string));
  const kept = [...facts].filter(([, { kept }]) => kept).map(([name]) => name);
  expect([...expiring, ...kept].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test('every table with personal data is in the file with the data of an account, or says why not', () => {
  const missing = personal.filter(({ name }) => {
    const exported = facts.get(name)?.exported;
    if (typeof exported !== 'string') return !exported?.not;
    const data = topics.find(({ tables: own = {} }) => name in own)?.personalData;
    const isOfWebsite = exported === 'websites' && (data?.listWebsites ?? data?.websiteFields);
    return !isOfWebsite && !Object.hasOwn(data?.fields ?? {}, exported);
  });
  expect(personal.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('every field of that file is in it once', () => {
  const fields = topics.flatMap(({ personalData }) => Object.keys(personalData?.fields ?? {}));
  expect(fields).toEqual([...new Set(fields)]);
});

test('rows with personal data are deleted with the account, erased by their topic, or say why they remain', () => {
  const remaining = personal.filter(({ name, deletions }) => {
    const erasing = topics.some(({ tables: own = {}, personalData }) => name in own && personalData?.erase);
    return name !== 'users' && !deletions.includes('c') && !erasing && !facts.get(name)?.afterDeletion;
  });
  expect(remaining.map(({ name, columns }) => ({ name, columns }))).toEqual([]);
});

test('no column keeps the id of a deleted account or website', () => {
  expect(tables.filter(({ deletions }) => deletions.some((action) => !'cn'.includes(action)))).toEqual([]);
});

test('a queue follows its dead letter queue, and no name is used twice', () => {
  const queues = topics.flatMap(({ jobs }) => (jobs ?? []).map(({ queue }) => queue));
  const names = queues.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, deadLetter } of queues) {
    if (deadLetter) expect(names.slice(0, names.indexOf(name))).toContain(deadLetter);
  }
});
