import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';

/** In bytes. */
export const maxLogoBytes = 200 * 1024;
export const maxBrandName = 80;

/** The name and logo of a firm on its reports. `logo` is the address of the picture. */
export const ReportBrand = z.object({ name: z.string(), logo: z.nullable(z.string()) });
export type ReportBrand = z.infer<typeof ReportBrand>;

export const BrandChange = z.object({
  /** Empty removes it. */
  name: z.string().check(z.trim(), z.maxLength(maxBrandName, `Use up to ${maxBrandName} characters.`)),
  /** A PNG, JPEG or WebP file as base64. Null removes the logo. Without it, the logo stays. */
  logo: z.optional(
    z.nullable(z.base64().check(z.maxLength(Math.ceil(maxLogoBytes / 3) * 4, 'The logo must not exceed 200 kB.'))),
  ),
});
export type BrandChange = z.infer<typeof BrandChange>;

export const getReportBrand = endpoint({
  method: 'GET',
  path: '/api/account/report-brand',
  access: 'user',
  summary: 'Get the name and logo on my reports',
  responses: { 200: ReportBrand },
});

export const changeReportBrand = endpoint({
  method: 'PUT',
  path: '/api/account/report-brand',
  access: 'user',
  summary: 'Change the name and logo on my reports',
  body: BrandChange,
  longBody: true,
  responses: { 200: ReportBrand },
});

export const getBrandLogo = endpoint({
  method: 'GET',
  path: '/api/account/report-brand/logo',
  access: 'user',
  summary: 'Get the logo on my reports',
});
