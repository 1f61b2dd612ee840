import type { DisavowReview } from '#shared/reports/disavow-files.ts';
import type { TestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';

/** Helpers for tests of disavow files on a running test app. */
export function buildDisavowCalls(app: TestApp) {
  const { call, context } = app;

  /** Uploads a file as the form of the workshop does. */
  async function send(as: string | undefined, websiteId: number, content: string | Buffer, fileName = 'disavow.txt') {
    const form = new FormData();
    form.append('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], fileName));
    const encoded = new Response(form);
    return call('POST', `/api/profiles/${websiteId}/disavow-files`, {
      ...(as && { as }),
      payload: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    });
  }

  /** Uploads a file that is accepted. */
  async function upload(as: string, websiteId: number, content: string | Buffer): Promise<DisavowReview> {
    const response = await send(as, websiteId, content);
    if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${response.body}`);
    return response.json();
  }

  /** Stores a decision about each domain; null for only a note. */
  async function decide(websiteId: number, decisions: Record<string, 'keep' | 'remove' | 'disavow' | null>) {
    const rows = Object.entries(decisions).map(([domain, decision]) => ({
      website_id: websiteId,
      domain,
      decision,
      note: 'A note',
    }));
    await context.db.insertInto('decisions').values(rows).execute();
  }

  return { ...buildAnalysisCalls(app), send, upload, decide };
}
