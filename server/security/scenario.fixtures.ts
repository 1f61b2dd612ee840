import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { type ApiKeyScope, apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { hashRecord } from '../accounts/api-keys/oauth/adapter.ts';
import { toResource } from '../accounts/api-keys/oauth/provider.ts';
import { replaceConnection, upsertClient, upsertRecord } from '../accounts/api-keys/oauth/store.ts';
import { feedJob } from '../blacklist/feeds/jobs.ts';
import { importJob } from '../blacklist/imports/jobs.ts';
import { uploadImport } from '../blacklist/imports/upload.fixtures.ts';
import { sourceRunJob } from '../blacklist/sources/jobs.ts';
import { buildSite } from '../blacklist/submissions/submissions.fixtures.ts';
import { maintenanceJob } from '../operations/admin/jobs.ts';
import { buildAnalysisCalls } from '../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../reports/backlinks/jobs.ts';
import { buildDisavowCalls } from '../reports/disavow-files/upload.fixtures.ts';
import { createShare } from '../reports/reports/share.ts';
import { type CallOptions, startTestApp, type TestApp } from '../test-app.fixtures.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type TestUser = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['signUp']>>;

/** The input of a call. `params` are the parameters of the path. */
export interface TestRequest {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: object;
  payload?: InjectOptions['payload'];
  headers?: Record<string, string>;
}

export type Scenario = Awaited<ReturnType<typeof createScenario>>;

/**
 * Starts a server with an owner, another user and an admin, and creates one object of every kind that belongs to the
 * owner.
 */
export async function createScenario(settings: Record<string, string> = {}) {
  const test = await startTestApp(
    {
      // There is no mail server at this address, so emails stay in the queue.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Linksieve <noreply@mail.example>',
      // No name server either: proofs of appeals are never found.
      DNS_SERVERS: '127.0.0.1:9',
      PUBLISH_BLACKLIST: '1',
      CRAWL: '1',
      ...settings,
    },
    { work: [...analysisJobs, importJob, maintenanceJob, sourceRunJob, feedJob] },
  );
  const { call, context, signUp } = test;
  const { db } = context;
  const kit = buildAnalysisCalls(test);
  const disavow = buildDisavowCalls(test);
  const withKey = async (user: TestUser) => {
    const response = await call('POST', '/api/api-keys', { as: user.cookie, body: { scopes: apiKeyScopes } });
    return { ...user, key: response.json().keyValue as string };
  };
  const owner = await withKey(await signUp());
  const other = await withKey(await signUp());
  const admin = await withKey(await signUp({ admin: true }));
  const listedName = 'listed-in-the-scenario.test';
  await kit.createDomains({ name: listedName, risk: 4 });

  /** The body of a response. @throws when the call failed */
  async function parsed(response: Promise<LightMyRequestResponse>) {
    const { statusCode, body, json } = await response;
    if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
    return json();
  }

  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };

  /**
   * A unique domain name that contains the owner's username, so that a test can detect it in the responses to others.
   */
  const uniqueName = () => `${owner.username}-${randomUUID().slice(0, 8)}.example`;
  const website = (as = owner) =>
    parsed(call('POST', '/api/profiles', { as: as.cookie, body: { domain: uniqueName() } }));
  const report = async () => {
    const { id } = await website();
    return {
      id: (await kit.analyze(owner.cookie, id, `Source URL\nhttps://${listedName}/a\n`)).reportId,
      profileId: id,
    };
  };
  /** Creates an API key. Deletes the earlier one, because their number is limited. */
  const apiKey = async (as = owner) => {
    const name = `of ${owner.username}`;
    await db.deleteFrom('api_keys').where('user_id', '=', as.id).where('name', '=', name).execute();
    return parsed(call('POST', '/api/api-keys', { as: as.cookie, body: { name } }));
  };
  /** Connects an assistant to the account. @returns its access token */
  const accessToken = async ({ id }: TestUser, scope: ApiKeyScope): Promise<string> => {
    const clientId = randomUUID();
    await upsertClient(db, clientId, { redirect_uris: ['https://assistant.example/callback'] });
    const expiry = { expires_at: new Date(Date.now() + 3_600_000) };
    const connection = { user_id: id, name: 'An assistant', oauth_client_id: clientId, created_at: new Date() };
    const keyId = await replaceConnection(db, { ...connection, ...expiry, scopes: [scope] });
    const token = randomBytes(32).toString('base64url');
    const payload = JSON.stringify({ scope, aud: toResource(`http://${host}`) });
    await upsertRecord(db, { hash: hashRecord('AccessToken', token), key_id: keyId, payload, ...expiry });
    return token;
  };
  const siteInput = () => buildSite(uniqueName());
  const submission = () => parsed(call('POST', '/api/site-submissions', { as: owner.cookie, body: siteInput() }));
  /** Inserts a message into the inbox. @returns its id */
  const message = async () => {
    const text = {
      name: 'A visitor',
      email: owner.username.concat('@mail.example'),
      subject: 'A question',
      message: randomUUID(),
    };
    return db
      .insertInto('messages')
      .values({ ...text, user_id: owner.id })
      .returning('id')
      .executeTakeFirstOrThrow();
  };
  /** Adds a domain to the blacklist. @returns its id and name */
  const domain = async () => {
    const name = `${randomUUID().slice(0, 13)}.test`;
    await kit.createDomains({ name });
    return db.selectFrom('domains').select(['id', 'name']).where('name', '=', name).executeTakeFirstOrThrow();
  };
  /** Inserts a listing that waits for a decision. @returns its id */
  const heldListing = async () => {
    await sql`insert into sources (name) values ('crawler') on conflict do nothing`.execute(db);
    const source = await db.selectFrom('sources').select('id').where('name', '=', 'crawler').executeTakeFirstOrThrow();
    const domain = `${randomUUID().slice(0, 13)}.test`;
    const cells = JSON.stringify({ cost: '$5' });
    return db
      .insertInto('held_listings')
      .values({ domain, source_id: source.id, reason: 'It is well known.', cells, held_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
  };
  /** Inserts an offer that was found on the pages of a site. @returns its id */
  const discovery = () => {
    const offer = {
      domain: `${randomUUID().slice(0, 13)}.test`,
      quote: 'We sell links for $80.',
      price: 80,
      currency: 'USD',
    };
    return db
      .insertInto('discoveries')
      .values({ ...offer, status: 'proposed', seen_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
  };
  /** Inserts a rule. @returns its id and domain */
  const siteRule = (decision: 'allow' | 'shared' | 'suggested') =>
    db
      .insertInto('site_rules')
      .values({ domain: `${randomUUID().slice(0, 13)}.test`, decision, reason: 'A partner' })
      .returning(['id', 'domain'])
      .executeTakeFirstOrThrow();
  /**
   * Lists a domain and stores the owner's appeal for it, verified or not.
   * @returns its id and the name of the domain
   */
  const appeal = async (state: 'unverified' | 'verified' = 'unverified') => {
    const { name } = await domain();
    const texts = {
      domain: name,
      message: 'We sell nothing.',
      statement: randomUUID(),
      proof: 'dns',
      token: randomUUID(),
    } as const;
    const { id } = await db
      .insertInto('appeals')
      .values({ ...texts, user_id: owner.id, state, verified_at: state === 'verified' ? new Date() : null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, name };
  };
  /** Stores an opt-out of the owner from visits. @returns its id */
  const optOut = () =>
    db
      .insertInto('crawl_opt_outs')
      .values({ user_id: owner.id, domain: uniqueName(), proof: 'dns', token: randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow();
  /** Stores a running check of the links of the owner's report, instead of one before. @returns the id of the report */
  const linkCheck = async () => {
    await db.deleteFrom('link_checks').execute();
    await db.insertInto('link_checks').values({ report_id: oneReport.id, status: 'running' }).execute();
    return { id: oneReport.id };
  };
  const user = () => signUp();
  /** Inserts a source without domains. @returns its id */
  const source = () =>
    db.insertInto('sources').values({ name: randomUUID() }).returning('id').executeTakeFirstOrThrow();
  /** Inserts a family without sources. @returns its id */
  const family = () =>
    db.insertInto('families').values({ name: randomUUID() }).returning('id').executeTakeFirstOrThrow();
  /** Inserts a change of sources that failed. @returns its id */
  const failedSourceRun = async () =>
    db
      .insertInto('source_runs')
      .values({ started_by: admin.username, title: 'A change', source_ids: [(await source()).id], status: 'failed' })
      .returning('id')
      .executeTakeFirstOrThrow();
  /** Inserts a paused feed that was never downloaded. @returns its id */
  const feed = () =>
    db
      .insertInto('feeds')
      .values({
        name: randomUUID(),
        url: 'https://lists.invalid/list.txt',
        kind: 'allow',
        interval_hours: 24,
        enabled: false,
        next_run_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  /** Inserts a run that waits for a review. @returns the ids of its feed and of the run */
  const heldBackRun = async () => {
    const { id } = await feed();
    const run = await db
      .insertInto('feed_runs')
      .values({ feed_id: id, status: 'waiting' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, runId: run.id };
  };
  const oneReport = await report();
  const { id: analysisId } = await db
    .selectFrom('analyses')
    .select('id')
    .where('report_id', '=', oneReport.id)
    .executeTakeFirstOrThrow();
  /** Inserts an analysis that stays queued until it is cancelled. @returns its id */
  const queuedAnalysis = () =>
    db
      .insertInto('analyses')
      .values({
        user_id: owner.id,
        website_id: oneReport.profileId,
        file_name: 'a.csv',
        files: JSON.stringify([{ path: nowhere, name: 'a.csv', bytes: 1 }]),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  /**
   * Creates a report of the owner and its link. Readers see the name of its website, so it does not contain the
   * owner's.
   * @returns the token, as the parameter of its paths
   */
  const sharedReport = async () => {
    const site = await kit.createWebsite(owner.cookie);
    const { reportId } = await kit.analyze(owner.cookie, site.id, `Source URL\nhttps://${listedName}/a\n`);
    const { path } = await createShare(context, { userId: owner.id, reportId }, 30, async () => undefined);
    return { token: path.slice(path.lastIndexOf('/') + 1) };
  };
  /** Stores a disavow file of the owner's website. @returns the ids of both, as the parameters of its paths */
  const disavowFile = async () => {
    const id = oneReport.profileId;
    const file = await parsed(disavow.send(owner.cookie, id, `domain:${listedName}\n# ${uniqueName()}\n`));
    // The number of files of a website is limited.
    await db.deleteFrom('disavow_files').where('id', '<', file.id).execute();
    return { id, fileId: file.id as number };
  };
  /**
   * Inserts a webhook of the owner, whose URL gets no request because its address is private, with a finished delivery.
   * Deletes earlier ones, because their number is limited. @returns the ids of both, as the parameters of its paths
   */
  const webhook = async () => {
    await db.deleteFrom('webhooks').where('user_id', '=', owner.id).execute();
    const { id } = await parsed(
      call('POST', '/api/webhooks', {
        as: owner.cookie,
        body: { url: `https://${uniqueName()}/events`, events: ['alert.created'] },
      }),
    );
    await db.updateTable('webhooks').set({ url: 'https://127.0.0.1/' }).where('id', '=', id).execute();
    const delivery = await db
      .insertInto('webhook_deliveries')
      .values({
        webhook_id: id,
        event_id: 'msg_1',
        type: 'alert.created',
        payload: JSON.stringify({ type: 'alert.created', timestamp: '', data: { url: '/' } }),
        status: 'succeeded',
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: id as number, deliveryId: delivery.id };
  };
  /** Inserts an import that stays queued until it is canceled. @returns its id */
  const queuedImport = () =>
    db
      .insertInto('imports')
      .values({ user_id: owner.id, added_by: 'owner', file_name: 'a.csv', file_path: nowhere, file_bytes: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
  /**
   * Uploads links to another site, so that the analysis waits for an answer. Cancels the one of an earlier call,
   * because the number of waiting analyses is limited.
   * @returns its id
   */
  const waitingAnalysis = async () => {
    await db.updateTable('analyses').set({ status: 'cancelled' }).where('status', '=', 'waiting').execute();
    const links = `Source URL,Target URL\nhttps://${listedName}/a,https://elsewhere.test/\n`;
    const fields = { profileId: String(oneReport.profileId), ask: '1' };
    return { id: (await parsed(kit.upload(owner.cookie, fields, links))).analysisId };
  };
  /** Inserts an interrupted upload without files. @returns its id */
  const interruptedUpload = () =>
    db
      .insertInto('uploads')
      .values({ user_id: owner.id, bytes: 0, bytes_left: 0, parts: '[]', expires_at: new Date(Date.now() + 3_600_000) })
      .returning('id')
      .executeTakeFirstOrThrow();
  const hashQuery = await buildHashQuery(db);
  /** A hash of the rows of each table, without what a read may update. */
  const tableHashes = async (): Promise<Record<string, string>> => {
    // A named statement is planned once per connection. Planning takes longer than reading these tables.
    const { rows } = await context.pool.query<{ name: string; hash: string }>({
      name: 'table-hashes',
      text: hashQuery,
    });
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  };
  const { jobId } = await parsed(
    uploadImport(test, admin.cookie, `domain,source\nby-import.test,crawler\nno domain,crawler\n`),
  );

  return {
    ...test,
    newAddress,
    /** Like `call` of the test app, but each call comes from a new IP address, so that no limit per address applies. */
    call: (method: Method, url: string, { as, body, headers, payload }: CallOptions = {}) =>
      test.app.inject({
        method,
        url,
        remoteAddress: newAddress(),
        headers: { host, 'sec-fetch-site': 'same-origin', ...(as && { cookie: as }), ...headers },
        ...((body || payload) && { payload: body ?? payload }),
      }),
    users: { owner, other, admin },
    existing: { report: oneReport, analysisId, jobId, listedName, submission: await submission() },
    create: {
      uniqueName,
      profile: website,
      report,
      apiKey,
      accessToken,
      siteInput,
      submission,
      message,
      domain,
      heldListing,
      discovery,
      siteRule,
      appeal,
      optOut,
      linkCheck,
      user,
      source,
      family,
      failedSourceRun,
      feed,
      heldBackRun,
      queuedAnalysis,
      interruptedUpload,
      sharedReport,
      disavowFile,
      webhook,
      queuedImport,
      waitingAnalysis,
    },
    /** Waits until no import, analysis, maintenance, change of sources or refresh of a feed is queued or running. */
    async waitForIdle(): Promise<void> {
      const busy = () =>
        sql`select from imports where status in ('queued', 'running') and file_path <> ${nowhere} union all
          select from analyses where status in ('queued', 'running') and files -> 0 ->> 'path' <> ${nowhere} union all
          select from maintenance_runs where status in ('queued', 'running') union all
          select from source_runs where status in ('queued', 'running') union all
          select from feed_runs where status in ('queued', 'running')`.execute(db);
      while ((await busy()).rows.length > 0) await wait(20);
    },
    tableHashes,
    /** The hashes of the tables that only the work of a call writes. Attempts are counted even if the work fails. */
    async workHashes(): Promise<Record<string, string>> {
      const { login_failures: _, ...hashes } = await tableHashes();
      return hashes;
    },
  };
}

/** The address of the server, which access tokens are for. */
const host = 'localhost:3000';

/** The file path of an analysis or import that has no job, so that no worker starts it. */
const nowhere = '/nowhere';

/**
 * Columns that a read may update: when a session or a key was last used, and what the first read of a report counts.
 */
const writtenByReads = [
  'last_seen_at',
  'last_used_at',
  'last_address',
  'usage_day',
  'decision_counts',
  'compared_with',
  'new_in',
];

/** Builds a query for the name of each table and a hash of its rows. */
async function buildHashQuery(db: TestApp['context']['db']): Promise<string> {
  const { rows } = await sql<{ name: string; ignored: string[] }>`
    select relname as name, array(
      select attname::text from pg_attribute where attrelid = pg_class.oid and attname = any(${writtenByReads})
    ) as ignored
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`.execute(db);
  return rows
    .map(({ name, ignored }) => {
      const line = ignored.length === 0 ? 't::text' : `(to_jsonb(t) - '{${ignored}}'::text[])::text`;
      return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(${line}, 0)), 0) as hash from ${name} t`;
    })
    .join(' union all ');
}

/** The URL of a call, from the path with parameters such as `:id`. */
export function buildUrl(path: string, { params = {}, query = {} }: TestRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no ${name} given`));
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}
