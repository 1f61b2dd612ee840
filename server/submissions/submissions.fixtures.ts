import type { TestApp } from '../test-app.fixtures.ts';

/** The form's input for a site. */
export const siteOf = (domain: string, cells: object = {}) => ({
  domain,
  evidence: 'They offer paid posts on their contact page, with a price list.',
  source: 'fiverr',
  cost: '$80',
  niche: 'Health',
  domainRating: 40,
  ...cells,
});

/** The calls of the topic. `as` is the cookie of the user. */
export function submissionKit({ call }: TestApp) {
  const send = (as: string, domain: string, cells: object = {}) =>
    call('POST', '/api/site-submissions', { as, body: siteOf(domain, cells) });
  const decide = (as: string, id: number, body: object) =>
    call('PUT', `/api/site-submissions/${id}`, { as, body: { userIsAdmin: true, ...body } });
  return {
    send,
    decide,
    mine: async (as: string, query = '') => (await call('GET', `/api/site-submissions/mine${query}`, { as })).json(),
    list: async (as: string, query = '') => (await call('GET', `/api/site-submissions${query}`, { as })).json(),
    /** Sends a site and approves it. @returns the body of the approval's response */
    approve: async (user: string, admin: string, domain: string, cells: object = {}) => {
      const { id } = (await send(user, domain, cells)).json();
      return (await decide(admin, id, { status: 'approved' })).json();
    },
    /** The listed domain as admins see it. */
    listed: async (as: string, domain: string) =>
      (await call('GET', `/api/domains?search=${domain}`, { as })).json().domains[0],
  };
}
