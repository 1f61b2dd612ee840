import type { Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    newsletter_subscriptions: NewsletterSubscriptionsTable;
  }
}

export interface NewsletterSubscriptionsTable {
  id: Id;
  email: string;
  first_name: string | null;
  consented_at: Date;
  unsubscribed_at: Date | null;
  token: string;
}
