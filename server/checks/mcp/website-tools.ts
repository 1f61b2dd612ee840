import * as z from 'zod';
import { toPagination } from '#shared/platform/page.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { buildNewestFile } from '../../reports/disavow-files/disavow-files.ts';
import { listWebsites as listWebsitesOfUser } from '../../reports/reports/reports.ts';
import { getOwnWebsite } from '../../reports/websites/websites.ts';
import { Pagination, page, rowId } from './fields.ts';
import { reportFigures, toFigures } from './report-tools.ts';
import { countNoun, createTool } from './tool.ts';
import { toUntrustedText, UntrustedText, untrustedNote } from './untrusted.ts';

const websitesPerPage = 100;

export const listWebsites = createTool({
  name: 'list_websites',
  title: 'List websites',
  scope: 'read',
  description: `List the websites of the user, newest first, with the id and the figures of their newest report. Use the ids in other tools. Costs one request. ${untrustedNote}`,
  input: z.strictObject({ page }),
  output: z.object({
    websites: z.array(
      z.object({
        websiteId: z.number(),
        domain: z.string(),
        dateAdded: z.string(),
        reportCount: z.number(),
        latestReport: z.object({ reportId: z.number(), ...reportFigures }).nullable(),
        listedDomains: z.number().describe('Listed domains of the newest report'),
        openReviews: z.number().describe('How many of listedDomains have no decision yet'),
        newToxicDomains: z.number().nullable().describe('Listed domains that the report before did not contain'),
        untrusted: z.object({ description: UntrustedText.nullable(), tags: z.array(UntrustedText.nullable()) }),
      }),
    ),
    pagination: Pagination,
  }),
  async run({ context, key }, input) {
    const websites = await listWebsitesOfUser(context, key.userId);
    const first = input.page * websitesPerPage;
    const pageOfWebsites = websites
      .slice(first, first + websitesPerPage)
      .map(({ id: websiteId, lastReport, description, tags, ...facts }) => ({
        ...facts,
        websiteId,
        latestReport: lastReport && { reportId: lastReport.id, ...toFigures(lastReport) },
        untrusted: {
          description: toUntrustedText(description),
          tags: tags.map((tag) => toUntrustedText(tag)),
        },
      }));
    const summary = `The user has ${countNoun(websites.length, 'website', 'websites')}.`;
    return {
      summary,
      data: { websites: pageOfWebsites, pagination: toPagination(input.page, websitesPerPage, websites.length) },
    };
  },
});

/** A longer file fills the context of an assistant, and half a file is worse than none. */
const maxDisavowLength = 200_000;

export const buildDisavow = createTool({
  name: 'build_disavow',
  title: 'Build a disavow file',
  scope: 'read',
  description: `Return the text of a disavow file for Google, for a website of the user. Nothing is changed or sent to Google. If the user has uploaded a disavow file (basis "merged"), this is the newest one merged with the decisions of the user. Otherwise (basis "decisions"), it contains only the domains that the user decided to disavow. Uploading a file at Google replaces the current one, and a disavowed good link is lost: recommend disavowing only after a manual action, or for paid links that cannot be removed. Costs one request. ${untrustedNote}`,
  input: z.strictObject({ websiteId: rowId.describe('The id of a website') }),
  output: z.object({
    websiteId: z.number(),
    website: z.string(),
    basis: z.enum(['merged', 'decisions']),
    fileName: z.string(),
    entries: z.number().describe('Lines that are neither blank nor a comment'),
    untrusted: z.object({
      text: z.string().describe('The exact text of the file. Comments can be from the uploaded file'),
    }),
  }),
  async run({ context, key: { userId }, origin }, { websiteId }) {
    const { domain: website } = await getOwnWebsite(context.readDb, userId, websiteId);
    const { signal } = new AbortController();
    const { text, fileName, isMerged } = await buildNewestFile(context, userId, websiteId, signal);
    if (text.length > maxDisavowLength) {
      const screen = `${origin}/websites/${websiteId}/disavow`;
      throw new HttpError(413, 'too_large', `This disavow file is too long for an assistant. Download it: ${screen}`);
    }
    const entries = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#')).length;
    const basis: 'merged' | 'decisions' = isMerged ? 'merged' : 'decisions';
    const content = isMerged
      ? 'It merges the newest uploaded disavow file with the decisions of the user.'
      : 'It has the domains that the user decided to disavow. It is not merged with the file that Google uses now: uploading it there replaces that file.';
    return {
      summary: `Disavow file for ${website} with ${countNoun(entries, 'entry', 'entries')}. ${content}`,
      data: { websiteId, website, basis, fileName, entries, untrusted: { text } },
    };
  },
});
