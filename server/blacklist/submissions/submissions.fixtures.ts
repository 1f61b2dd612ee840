import type { TestApp } from '../../test-app.fixtures.ts';

/** Builds the form's input for a site. */
export const buildSite = (domain: string, cells: object = {}) => ({
  domain,
  evidence: 'They offer paid posts on their contact page, with a price list.',
  source: 'fiverr',
  cost: '$80',
  niche: 'Health',
  domainRating: 40,
  ...cells,
});

/** API calls of submissions. `as` and `user` are session cookies. */
export function buildSubmissionCalls({ call }: TestApp) {
  const send = (as: string, domain: string, cells: object = {}) =>
    call('POST', '/api/site-submissions', { as, body: buildSite(domain, cells) });
  const decide = (as: string, id: number, body: object) =>
    call('PUT', `/api/site-submissions/${id}`, { as, body: { userIsAdmin: true, ...body } });
  return {
    send,
    decide,
    listOwnSubmissions: async (as: string, query = '') =>
      (await call('GET', `/api/site-submissions/mine${query}`, { as })).json(),
    listSubmissions: async (as: string, query = '') =>
      (await call('GET', `/api/site-submissions${query}`, { as })).json(),
    /** Submits a site and approves it. `admin` is a session cookie too. @returns the body of the approval's response */
    approve: async (user: string, admin: string, domain: string, cells: object = {}) => {
      const { id } = (await send(user, domain, cells)).json();
      return (await decide(admin, id, { status: 'approved' })).json();
    },
    /** Finds the listed domain as an admin. */
    findDomain: async (as: string, domain: string) =>
      (await call('GET', `/api/domains?search=${domain}`, { as })).json().domains[0],
  };
}
