import { setTimeout as wait } from 'node:timers/promises';
import type { AnalysisResult } from '#shared/reports/backlinks.ts';
import type { TestApp } from '../../test-app.fixtures.ts';

export interface WebsiteOwner {
  cookie: string;
  id: number;
}

/** Helpers for tests of analyses and reports on a running test app. */
export function buildAnalysisCalls({ call, context, signUp }: TestApp) {
  let sites = 0;

  /** Adds domains to the blacklist. */
  async function createDomains(
    ...rows: { name: string; risk?: number; sources?: string[]; addedAt?: string }[]
  ): Promise<void> {
    for (const { name, risk = 1, sources = ['fiverr'], addedAt = '2024-01-05T12:00:00Z' } of rows) {
      await context.db
        .insertInto('domains')
        .values({
          name,
          tld: name.slice(name.lastIndexOf('.') + 1),
          risk_level: risk,
          source: sources,
          added_at: new Date(addedAt),
        })
        .execute();
    }
  }

  async function createWebsite(
    as: string,
    domain = `site${++sites}-${process.pid}.example`,
  ): Promise<{ id: number; domain: string }> {
    const response = await call('POST', '/api/profiles', { as, body: { domain } });
    if (response.statusCode !== 201) throw new Error(response.body);
    return response.json();
  }

  /** Creates a signed-in user with a website. */
  async function createOwner() {
    const user = await signUp();
    return { ...user, site: await createWebsite(user.cookie) };
  }

  function upload(
    as: string | undefined,
    fields: Record<string, string>,
    content: string | Buffer,
    fileName = 'export.csv',
  ) {
    return uploadFiles(as, fields, [[fileName, content]]);
  }

  /** Uploads several files, each with its name. */
  async function uploadFiles(
    as: string | undefined,
    fields: Record<string, string>,
    files: readonly (readonly [name: string, content: string | Buffer])[],
  ) {
    return call('POST', '/api/backlinks/analyze', { ...(as && { as }), ...(await buildForm(fields, files)) });
  }

  /** Uploads and waits for the result. */
  async function analyze(
    as: string,
    websiteId: number,
    content: string | Buffer,
    fileName?: string,
  ): Promise<AnalysisResult> {
    const response = await upload(as, { profileId: String(websiteId) }, content, fileName);
    if (response.statusCode === 200) return response.json();
    if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${response.body}`);
    return (await waitForAnalysis(as, response.json().analysisId)).result;
  }

  /** Polls until the analysis has finished. @returns the analysis */
  async function waitForAnalysis(as: string, id: string) {
    for (;;) {
      const analysis = (await call('GET', `/api/backlinks/analyses/${id}`, { as })).json();
      if (analysis.status !== 'processing') return analysis;
      await wait(20);
    }
  }

  /** Locks the blacklist, which blocks every analysis at its lookups. @returns a function that releases the lock */
  async function lockBlacklist(): Promise<() => Promise<void>> {
    const client = await context.pool.connect();
    await client.query('begin; lock table domains in access exclusive mode');
    return async () => {
      await client.query('rollback');
      client.release();
    };
  }

  return { createDomains, createWebsite, createOwner, upload, uploadFiles, analyze, waitForAnalysis, lockBlacklist };
}

/** Builds a multipart form with a part for each file. */
export async function buildForm(
  fields: Record<string, string>,
  files: readonly (readonly [name: string, content: string | Buffer])[],
  field = 'backlinkFile',
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of files) {
    form.append(field, new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
  }
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers };
}
