import { ofOwner, type Topic } from '../../topic.ts';
import { exportBrand } from './report-brand.ts';
import { reportBrandRoutes } from './routes.ts';

export const reportBrandTopic: Topic = {
  routes: [reportBrandRoutes],
  tables: { report_brands: { kept: ofOwner, exported: 'reportBrand' } },
  personalData: { fields: { reportBrand: ({ db }, { id }) => exportBrand(db, id) } },
};
