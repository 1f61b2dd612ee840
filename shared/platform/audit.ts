import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Pagination, pageNumber, pageSize } from './page.ts';

/** An entry of the audit log. `address` is the user's IP address, null for commands on the server and for runs. */
export const AuditEvent = z.object({
  id: z.number(),
  username: z.string(),
  event: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.nullable(z.string()),
  date: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

/** `user` is a username. */
const auditFilter = { event: z.optional(z.string()), user: z.optional(z.string()) };

export const listAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/audit-events',
  access: 'admin',
  summary: 'List the events of the audit log, newest first',
  query: z.object({ ...auditFilter, page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ events: z.array(AuditEvent), pagination: Pagination }) },
});

export const listAuditEventKinds = endpoint({
  method: 'GET',
  path: '/api/admin/audit-events/kinds',
  access: 'admin',
  summary: 'List the kinds of events and the usernames in the audit log',
  responses: { 200: z.object({ events: z.array(z.string()), usernames: z.array(z.string()) }) },
});

export const exportAuditEvents = endpoint({
  method: 'GET',
  path: '/api/admin/audit-events/export/csv',
  access: 'admin',
  summary: 'Export the audit log as CSV',
  auditEvent: 'Exported the audit log',
  needsProof: true,
  query: z.object(auditFilter),
});
