import { sql } from 'kysely';

/** Orders rows of `alerts`: first what needs attention, then by risk level and number of links. */
export const worstFirst = sql`
  alerts.event in ('listed', 'raised') desc, alerts.to_level desc nulls last, alerts.backlinks desc, alerts.id
`;
