import * as z from 'zod';
import { confidences, riskLevels } from '#shared/blacklist/domains.ts';

// Fields of several tools. They repeat schemas of shared/, which are zod/mini: the SDK cannot describe those to
// clients.

export const rowId = z.int().min(1);
export const page = z.int().min(0).default(0).describe('The number of the page. The first page is 0');

export const RiskLevel = z.enum(riskLevels);
export const Confidence = z.enum(confidences);

export const RiskCounts = z.object({
  veryHigh: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
});

export const Pagination = z.object({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
  totalPages: z.number(),
});
