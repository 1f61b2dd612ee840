import * as z from 'zod/mini';
import { RiskLevel } from '#shared/domains.ts';

const id = z.catch(z.optional(z.int().check(z.gte(1))), undefined);

/** The URL parameters of the risk assessment screen. Invalid values become undefined. */
export const riskAssessmentSearch = z.object({
  tab: z.catch(z.optional(z.enum(['analyzer', 'reports'])), undefined),
  /** The website whose reports are shown. */
  profile: id,
  /** The analysis whose progress is shown. */
  analysis: z.catch(z.optional(z.uuid()), undefined),
  /** The report in the analyzer tab. */
  result: id,
  /** The report in the Report Details dialog. */
  report: id,
  /** The page of its harmful backlinks, one-based. */
  page: id,
  risk: z.catch(z.optional(RiskLevel), undefined),
  /** Whether the report includes lost links. */
  lost: z.catch(z.optional(z.enum(['include'])), undefined),
});
export type RiskAssessmentSearch = z.infer<typeof riskAssessmentSearch>;
