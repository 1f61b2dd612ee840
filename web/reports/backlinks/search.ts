import * as z from 'zod/mini';
import { RiskLevel } from '#shared/blacklist/domains.ts';
import { maxTagLength } from '#shared/reports/websites.ts';
import { freeText } from '../../platform/search-values.ts';
import { reportSearch } from './report/search.ts';

const id = z.catch(z.optional(z.int().check(z.gte(1))), undefined);

/** The orders of the list of websites. The first one is the default. */
export const websiteSorts = ['toxicity', 'reviews', 'report', 'name', 'added'] as const;

/** The URL parameters of the risk assessment screen. Invalid values become undefined. */
export const riskAssessmentSearch = z.object({
  tab: z.catch(z.optional(z.enum(['analyzer', 'reports'])), undefined),
  /** The website whose reports are shown. The specification fixes its name in the URL. */
  profile: id,
  /** The analysis whose progress is shown. */
  analysis: z.catch(z.optional(z.uuid()), undefined),
  /** The report in the analyzer tab. */
  result: id,
  /** The report in the Report Details dialog. */
  report: id,
  /** Its part. */
  view: reportSearch.shape.view,
  /** The page of its harmful backlinks, one-based. */
  page: id,
  riskLevel: z.catch(z.optional(RiskLevel), undefined),
  /** Whether the report includes lost links. */
  lost: z.catch(z.optional(z.enum(['include'])), undefined),
  /** Part of the domain or of a tag of the listed websites. */
  find: freeText(100),
  /** A tag of the listed websites. */
  tag: freeText(maxTagLength),
  sort: z.catch(z.optional(z.enum(websiteSorts)), undefined),
  /** The page of the list of websites, one-based. */
  websites: id,
});
export type RiskAssessmentSearch = z.infer<typeof riskAssessmentSearch>;
