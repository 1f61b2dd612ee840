import { sql } from 'kysely';
import { listDays } from '#shared/checks/domain-lists.ts';
import { daysBefore, type Retention } from '../../platform/jobs/retention.ts';

export const listRetention: Retention = {
  table: 'domain_lists',
  expired: (now) =>
    sql`created_at <= case when user_id is null then ${daysBefore(now, listDays.visitor)}::timestamptz
      else ${daysBefore(now, listDays.user)}::timestamptz end`,
};
