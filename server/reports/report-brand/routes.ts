import * as contract from '#shared/reports/report-brand.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { changeBrand, getBrand, getLogo } from './report-brand.ts';

export const reportBrandRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;
    route(scope, contract.getReportBrand, ({ user }) => getBrand(db, user.id));

    route(scope, contract.changeReportBrand, ({ body, user }) => changeBrand(context, user.id, body));

    route(scope, contract.getBrandLogo, async ({ user, reply }) => {
      const { bytes, type } = await getLogo(db, user.id);
      return reply.code(200).type(type).send(bytes);
    });
  },
};
