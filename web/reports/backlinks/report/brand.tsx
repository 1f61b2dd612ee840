import { getReportBrand, type ReportBrand } from '#shared/reports/report-brand.ts';
import { endpointQuery } from '../../../platform/endpoint-query.ts';
import styles from './report-page.module.css';

export const brandQuery = endpointQuery(['reports', 'brand'], getReportBrand, {});

interface BrandProps {
  brand: ReportBrand;
  /** Whether it is only printed. */
  isOnPaper?: boolean;
}

/** The name and logo of the firm that made a report. Renders nothing without them. */
export function Brand({ brand: { name, logo }, isOnPaper }: BrandProps) {
  if (name === '' && logo === null) return null;
  return (
    <p className={styles.brand} data-paper={isOnPaper}>
      {logo && <img src={logo} alt={name === '' ? 'Logo' : ''} />}
      {name}
    </p>
  );
}
