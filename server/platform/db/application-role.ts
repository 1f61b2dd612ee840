import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * The role of the application in the embedded database. It owns the tables and is no superuser. It creates databases
 * for test restores.
 */
export const applicationRole = 'linksieve_app';

/** Returns the password of the application's role, which does not reveal the superuser's. */
export function deriveApplicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(applicationRole).digest('base64url');
}

/**
 * Creates the application's role, and gives it everything in the database that belongs to the superuser, as in
 * installations of earlier versions, including tables that `protectTable` took away. Safe to repeat.
 * @param url of the superuser
 */
export async function prepareApplicationRole(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-start' });
  await client.connect();
  try {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
    if (rows.length === 0) await client.query(`create role ${applicationRole}`);
    await client.query(`
      alter role ${applicationRole} login createdb password '${buildVerifier(password)}';
      grant create, temporary on database ${client.escapeIdentifier(client.database ?? '')} to ${applicationRole};
      grant usage, create on schema public to ${applicationRole};
      ${transferOwnership}`);
  } finally {
    await client.end();
  }
}

/** Returns what PostgreSQL stores for a password (RFC 5803). The log of the server may contain failed statements. */
function buildVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (key: string) => createHmac('sha256', salted).update(key).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/**
 * Each statement changes the owner of an object. Members of extensions, columns' own sequences, types of tables and
 * system schemas are left out: PostgreSQL changes them with the object that they belong to, or never.
 */
const transferOwnership = `
  do $transfer$
  declare statement text;
  begin
    for statement in
      with schemas as (
        select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
      ), owned as (
        select 'schema ' || quote_ident(nspname) as object, 'pg_namespace'::regclass as class, oid, nspowner as owner
        from schemas where nspname <> 'public'
        union all
        select 'table ' || pg_class.oid::regclass, 'pg_class'::regclass, pg_class.oid, relowner
        from pg_class join schemas on schemas.oid = relnamespace where relkind in ('r', 'p', 'v', 'm', 'f')
        union all
        select 'sequence ' || pg_class.oid::regclass, 'pg_class'::regclass, pg_class.oid, relowner
        from pg_class join schemas on schemas.oid = relnamespace where relkind = 'S'
        union all
        select 'routine ' || pg_proc.oid::regprocedure, 'pg_proc'::regclass, pg_proc.oid, proowner
        from pg_proc join schemas on schemas.oid = pronamespace
        union all
        select 'type ' || pg_type.oid::regtype, 'pg_type'::regclass, pg_type.oid, typowner
        from pg_type join schemas on schemas.oid = typnamespace left join pg_class on pg_class.oid = typrelid
        where typtype in ('d', 'e', 'r') or typtype = 'c' and relkind = 'c'
      )
      select format('alter %s owner to ${applicationRole}', object) from owned
      where owner = (select oid from pg_roles where rolname = current_user) and not exists (
        select from pg_depend where classid = class and objid = owned.oid
        and (deptype = 'e' or object like 'sequence %' and deptype in ('a', 'i'))
      )
    loop
      execute statement;
    end loop;
  end
  $transfer$`;

/**
 * Makes the superuser the owner of a table with the identity column `id`, and of its trigger functions. The application
 * can then only read the table and add rows. Backups also read the sequence of the column.
 * @param url of the superuser
 */
export async function protectTable(url: string, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-start' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select distinct tgfoid::regprocedure::text as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal',
      [table],
    );
    const { rows: sequences } = await client.query<{ name: string }>(
      "select pg_get_serial_sequence($1, 'id') as name",
      [table],
    );
    await client.query(`
      ${rows.map(({ name }) => `alter function ${name} owner to current_user;`).join('\n')}
      alter table ${table} owner to current_user;
      revoke all on ${table} from ${applicationRole};
      grant select, insert on ${table} to ${applicationRole};
      ${sequences.map(({ name }) => `grant select on sequence ${name} to ${applicationRole};`).join('\n')}`);
  } finally {
    await client.end();
  }
}
