import { type BrandChange, getBrandLogo, maxLogoBytes, type ReportBrand } from '#shared/reports/report-brand.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { HttpError, invalidField } from '../../platform/http/errors.ts';
import * as store from './store.ts';

/** Returns the name and logo on a user's reports. @param logoPath where the reader gets the logo */
export async function getBrand(db: Db, userId: number, logoPath: string = getBrandLogo.path): Promise<ReportBrand> {
  const brand = await store.findBrand(db, userId);
  const hasLogo = brand !== undefined && brand.logoType !== null;
  return { name: brand?.name ?? '', logo: hasLogo ? `${logoPath}?v=${brand.updatedAt.getTime()}` : null };
}

/** @throws 400 for a logo that is not a PNG, JPEG or WebP file */
export async function changeBrand(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  { name, logo }: BrandChange,
): Promise<ReportBrand> {
  const values = { name, ...(logo !== undefined && { logo: logo ? readLogo(logo) : null }) };
  return await db.transaction().execute(async (trx) => {
    await store.saveBrand(trx, userId, values, now());
    return await getBrand(trx, userId);
  });
}

function readLogo(base64: string): { bytes: Buffer; type: string } {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxLogoBytes) throw invalidField('logo', 'The logo must not exceed 200 kB.');
  const type = recognizePicture(bytes);
  if (type === undefined) throw invalidField('logo', 'The logo must be a PNG, JPEG or WebP picture.');
  return { bytes, type };
}

/** Returns the type of a picture by its first bytes. SVG is left out, because it can contain scripts. */
function recognizePicture(bytes: Buffer): string | undefined {
  const hasText = (at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text;
  if (hasText(0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (hasText(0, '\xff\xd8\xff')) return 'image/jpeg';
  return hasText(0, 'RIFF') && hasText(8, 'WEBP') ? 'image/webp' : undefined;
}

/** @throws 404 if there is none */
export async function getLogo(db: Db, userId: number): Promise<{ bytes: Buffer; type: string }> {
  const found = await store.findLogo(db, userId);
  if (!found?.logo || !found.type) throw new HttpError(404, 'not_found', 'There is no logo.');
  return { bytes: found.logo, type: found.type };
}

/** The field of the file with the data of an account. Null without a name and logo. */
export async function exportBrand(db: Db, userId: number) {
  const [brand, picture] = await Promise.all([store.findBrand(db, userId), store.findLogo(db, userId)]);
  return brand ? { name: brand.name, logoType: brand.logoType, logo: picture?.logo?.toString('base64') ?? null } : null;
}
