import * as z from 'zod/mini';
import { RiskLevel } from '#shared/domains.ts';

const id = z.catch(z.optional(z.int().check(z.gte(1))), undefined);

/** What the address of the risk assessment says. An unknown value falls back to none. */
export const riskAssessmentSearch = z.object({
  tab: z.catch(z.optional(z.enum(['analyzer', 'reports'])), undefined),
  /** A website whose reports stand open. */
  profile: id,
  /** An analysis that is being watched. */
  analysis: z.catch(z.optional(z.uuid()), undefined),
  /** The report that the analyzer shows. */
  result: id,
  /** The report of the details dialog. */
  report: id,
  /** Page of its harmful backlinks, from one. */
  page: id,
  risk: z.catch(z.optional(RiskLevel), undefined),
});
export type RiskAssessmentSearch = z.infer<typeof riskAssessmentSearch>;
