import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, signUp, context } = await startTestApp();
const [visitor, user, admin] = [{ cookie: '' }, await signUp(), await signUp({ admin: true })];

beforeEach(async () => {
  await context.pool.query('truncate domains');
});

const add = (body: object, as = admin.cookie) => call('POST', '/api/domains', { as, body });
const list = async (query: string, as = admin.cookie) => {
  const response = await call('GET', `/api/domains?${query}`, { as });
  expect([query, response.statusCode]).toEqual([query, 200]);
  return response.json();
};
const getNames = (body: { domains: { domain: string }[] }) => body.domains.map(({ domain }) => domain);

test('each endpoint admits visitors, users and admins as its access declares', async () => {
  const { id } = (await add({ domain: 'one.example', source: 'fiverr' })).json();
  const input = { domain: 'one.example', source: 'fiverr' };
  const calls: ['GET' | 'POST' | 'PUT' | 'DELETE', string, object | undefined, number, number, number][] = [
    ['GET', '/api/stats/count', undefined, 200, 200, 200],
    ['GET', '/api/domains', undefined, 401, 200, 200],
    ['GET', '/api/domains/counts', undefined, 401, 200, 200],
    ['GET', `/api/domains/${id}`, undefined, 401, 200, 200],
    ['GET', '/api/domains/export/csv', undefined, 401, 200, 200],
    ['GET', '/api/domains/tlds', undefined, 401, 200, 200],
    ['GET', '/api/domains/niches', undefined, 401, 200, 200],
    ['POST', `/api/domains/${id}/reports`, { message: 'This is a good site.' }, 401, 201, 201],
    ['GET', '/api/domains/sources', undefined, 401, 403, 200],
    ['POST', '/api/domains', { ...input, domain: 'two.example', userIsAdmin: true }, 401, 403, 201],
    ['PUT', `/api/domains/${id}`, { ...input, userIsAdmin: true }, 401, 403, 200],
    ['POST', '/api/domains/bulk-delete', { ids: [999_999], userIsAdmin: true }, 401, 403, 200],
    ['POST', '/api/risk/update-risk-levels', {}, 401, 403, 200],
    ['DELETE', `/api/domains/${id}?userIsAdmin=true`, undefined, 401, 403, 204],
    [
      'POST',
      '/api/admin/delete-all-domains',
      { confirmationCode: 'DELETE ALL DOMAINS', userIsAdmin: true },
      401,
      403,
      200,
    ],
  ];
  for (const [method, url, body, ...statuses] of calls) {
    for (const [i, { cookie }] of [visitor, user, admin].entries()) {
      const response = await call(method, url, { as: cookie, body });
      expect([method, url, i, response.statusCode]).toEqual([method, url, i, statuses[i]]);
    }
  }
});

test('a domain is added with its normalized name, distinct sources and the risk level for their number', async () => {
  const response = await add({
    domain: 'https://www.Shop-One.Example/page?x=1',
    source: 'fiverr,  adsy, Fiverr,, ADSY , bhw',
    cost: '"$50 - 100"',
    niche: '',
    notes: 'seen on a list',
    domainRating: 41,
    outboundLinks: 0,
    addedBy: 'someone else',
  });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({
    domain: 'shop-one.example',
    source: 'fiverr, adsy, bhw',
    sourceCount: 3,
    riskLevel: 'medium',
    cost: '$50 - 100',
    niche: null,
    description: null,
    domainRating: 41,
    outboundLinks: 0,
    notes: 'seen on a list',
    addedBy: admin.username,
  });
  expect(response.json().dateAdded).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('the counts by risk level follow every filter except the risk level', async () => {
  await add({ domain: 'one-shop.example', source: 'a' });
  await add({ domain: 'two-shop.example', source: 'a, b' });
  await add({ domain: 'three.example', source: 'a, b', niche: 'Travel' });
  const count = async (query: string) => {
    const response = await call('GET', `/api/domains/counts?${query}`, { as: user.cookie });
    return [response.statusCode, response.json()];
  };
  const counts = { low: 0, medium: 0, high: 0, veryHigh: 0 };
  expect(await count('')).toEqual([200, { ...counts, low: 1, medium: 2 }]);
  expect(await count('search=shop&riskLevel=low')).toEqual([200, { ...counts, low: 1, medium: 1 }]);
  expect(await count('niche=Travel&filter=recent')).toEqual([200, { ...counts, medium: 1 }]);
  expect(await count('niche=Gone')).toEqual([200, counts]);
  expect(await count('search=no%20name')).toEqual([200, counts]);
  expect((await count('source=a'))[0]).toBe(403);
});

test.each([
  ['a', 'low'],
  ['a, b', 'medium'],
  ['a, b, c', 'medium'],
  ['a, b, c, d', 'high'],
  ['a, b, c, d, e', 'very high'],
  ['a, b, c, d, e, f, g', 'very high'],
])('the sources %s give the risk level %s', async (source, riskLevel) => {
  expect((await add({ domain: 'risk.example', source })).json()).toMatchObject({ riskLevel });
});

test('adding a listed name in any spelling returns 409 with its id', async () => {
  const { id } = (await add({ domain: 'twice.example', source: 'a' })).json();
  const again = await add({ domain: 'HTTP://WWW.TWICE.EXAMPLE/', source: 'b' });
  expect([again.statusCode, again.json().existingId, again.json().code]).toEqual([409, id, 'conflict']);
  const other = (await add({ domain: 'other.example', source: 'a' })).json();
  const renamed = await call('PUT', `/api/domains/${other.id}`, {
    as: admin.cookie,
    body: { domain: 'twice.example', source: 'a' },
  });
  expect([renamed.statusCode, renamed.json().existingId]).toEqual([409, id]);
});

test.each([
  [{ domain: '8.8.8.8', source: 'a' }, 'domain'],
  [{ domain: 'co.uk', source: 'a' }, 'domain'],
  [{ domain: 'wordpress.com', source: 'a' }, 'domain'],
  [{ domain: 'not a domain', source: 'a' }, 'domain'],
  [{ domain: ' ', source: 'a' }, 'domain'],
  [{ domain: 'ok.example', source: ' , ,' }, 'source'],
  [{ domain: 'ok.example', source: '源'.repeat(101) }, 'source'],
  [{ domain: 'ok.example', source: Array.from({ length: 101 }, (_, i) => `s${i}`).join() }, 'source'],
  [{ domain: 'ok.example', source: '源'.repeat(20_000) }, 'source'],
  [{ domain: 'ok.example', source: 'a', niche: '旅'.repeat(101) }, 'niche'],
  [{ domain: 'ok.example', source: 'a', cost: '1'.repeat(101) }, 'cost'],
  [{ domain: 'ok.example', source: 'a', domainRating: 101 }, 'domainRating'],
  [{ domain: 'ok.example', source: 'a', outboundLinks: -1 }, 'outboundLinks'],
  [{ domain: 'ok.example', source: 'a', riskLevel: 'huge' }, 'riskLevel'],
])('%o is rejected with an error for the field %s', async (body, field) => {
  const response = await add(body);
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]]);
});

test('fields of maximum length in multi-byte characters are stored and listed', async () => {
  const wide = (character: string, count: number) => character.repeat(count);
  const source = Array.from({ length: 100 }, (_, i) => String(i).padStart(100, '源')).join(', ');
  const body = {
    domain: `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test`,
    source,
    niche: wide('旅', 100),
    cost: wide('9', 100),
    description: wide('描', 5000),
    sourceDetails: wide('細', 5000),
    notes: wide('注', 5000),
  };
  const response = await add(body);
  expect([response.statusCode, response.json()]).toMatchObject([201, { ...body, sourceCount: 100 }]);
  expect((await list(`niche=${encodeURIComponent(body.niche)}`)).pagination.total).toBe(1);
});

test('an update changes the fields it contains, keeps absent fields and clears null fields', async () => {
  const first = (await add({ domain: 'edit.example', source: 'a', notes: 'keep', niche: 'Travel', cost: '$5' })).json();
  const edited = await call('PUT', `/api/domains/${first.id}`, {
    as: admin.cookie,
    body: { domain: 'edit.example', source: 'a, b', niche: null, riskLevel: first.riskLevel },
  });
  expect([edited.statusCode, edited.json()]).toMatchObject([
    200,
    { notes: 'keep', niche: null, cost: '$5', source: 'a, b', riskLevel: 'medium', dateAdded: first.dateAdded },
  ]);
  const missing = await call('PUT', '/api/domains/999999999', {
    as: admin.cookie,
    body: { domain: 'x.example', source: 'a' },
  });
  expect(missing.statusCode).toBe(404);
});

test('a risk level set by hand stays until all levels are recomputed', async () => {
  const { id } = (await add({ domain: 'given.example', source: 'a', riskLevel: 'very high' })).json();
  await add({ domain: 'computed.example', source: 'a, b' });
  const body = { domain: 'given.example', source: 'a, b' };
  expect((await call('PUT', `/api/domains/${id}`, { as: admin.cookie, body })).json().riskLevel).toBe('very high');
  const update = await call('POST', '/api/risk/update-risk-levels', { as: admin.cookie, body: {} });
  expect(update.json()).toEqual({ timeTaken: expect.any(Number), stats: { low: 0, medium: 2, high: 0, veryHigh: 0 } });
  expect((await list('riskLevel=medium')).pagination.total).toBe(2);
});

test('recomputing writes only the domains whose level changes', async () => {
  await add({ domain: 'same.example', source: 'a' });
  const version = async () => (await context.pool.query('select xmin::text as version from domains')).rows[0].version;
  const before = await version();
  await call('POST', '/api/risk/update-risk-levels', { as: admin.cookie, body: {} });
  expect(await version()).toBe(before);
});

test('one, several or all domains can be deleted, and the response has their number', async () => {
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await add({ domain: `${name}.example`, source: 's' })).json().id);
  expect((await call('DELETE', `/api/domains/${ids[0]}`, { as: admin.cookie })).statusCode).toBe(204);
  expect((await call('DELETE', `/api/domains/${ids[0]}`, { as: admin.cookie })).statusCode).toBe(404);
  const some = await call('POST', '/api/domains/bulk-delete', {
    as: admin.cookie,
    body: { ids: [ids[0], ids[1], 999_999_999] },
  });
  expect(some.json()).toEqual({ count: 1 });
  const wrong = await call('POST', '/api/admin/delete-all-domains', {
    as: admin.cookie,
    body: { confirmationCode: 'delete all domains' },
  });
  expect([wrong.statusCode, (await list('')).pagination.total]).toEqual([400, 2]);
  const all = await call('POST', '/api/admin/delete-all-domains', {
    as: admin.cookie,
    body: { confirmationCode: 'DELETE ALL DOMAINS' },
  });
  expect([all.json(), (await list('')).pagination.total]).toEqual([{ count: 2 }, 0]);
  expect((await call('GET', '/api/stats/count')).json()).toMatchObject({ total: 0, lastUpdated: null });
});

test('a deletion can be undone for ten minutes, and leaves no trace', async () => {
  const ids: number[] = [];
  for (const name of ['first', 'second', 'google']) {
    const domain = name === 'google' ? 'google.com' : `${name}.example`;
    const added = await add({ domain, source: 'adsy, fiverr', cost: '$90', notes: 'mine', confirmed: true });
    ids.push(added.json().id);
  }
  await call('PUT', `/api/domains/${ids[0]}`, {
    as: admin.cookie,
    body: { domain: 'first.example', source: 'adsy', cost: '$70', riskLevel: 'very high' },
  });
  const read = async () => {
    const tables = ['domains', 'listings', "site_rules where decision = 'list'"];
    const results = tables.map((from) => context.pool.query(`select * from ${from} order by 1, 2`));
    return (await Promise.all(results)).map(({ rows }) => rows);
  };
  const restore = (some: number[]) => call('POST', '/api/domains/restore', { as: admin.cookie, body: { ids: some } });
  const before = await read();
  expect(before.map((rows) => rows.length)).toEqual([3, 6, 1]);
  await call('DELETE', `/api/domains/${ids[0]}`, { as: admin.cookie });
  await call('POST', '/api/domains/bulk-delete', { as: admin.cookie, body: { ids: ids.slice(1) } });
  expect((await list('')).pagination.total).toBe(0);
  expect((await restore([...ids, 999_999_999])).json()).toEqual({ count: 3 });
  expect(await read()).toEqual(before);
  expect((await list('')).pagination.total).toBe(3);
  expect((await restore(ids)).json()).toEqual({ count: 0 });

  // A list named the domain again before the undo.
  await call('DELETE', `/api/domains/${ids[1]}`, { as: admin.cookie });
  const again = (await add({ domain: 'second.example', source: 'bhw' })).json();
  expect((await restore([ids[1] ?? 0])).json()).toEqual({ count: 1 });
  expect(
    (await call('GET', `/api/domains/${again.id}`, { as: admin.cookie })).json().source.split(', ').sort(),
  ).toEqual(['adsy', 'bhw', 'fiverr']);

  await call('DELETE', `/api/domains/${ids[0]}`, { as: admin.cookie });
  await context.pool.query("update deleted_domains set deleted_at = deleted_at - interval '11 minutes'");
  expect((await restore([ids[0] ?? 0])).json()).toEqual({ count: 0 });
});

test('deleting returns 503 while an import has the domain locked for long', async () => {
  const { id } = (await add({ domain: 'locked.example', source: 's' })).json();
  const client = await context.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from domains where id = $1 for update', [id]);
    const responses = await Promise.all([
      call('DELETE', `/api/domains/${id}`, { as: admin.cookie }),
      call('POST', '/api/domains/bulk-delete', { as: admin.cookie, body: { ids: [id] } }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  } finally {
    await client.query('rollback');
    client.release();
  }
}, 30_000);

test('delete-all returns 503 while another transaction writes domains', async () => {
  await add({ domain: 'held.example', source: 's' });
  const writer = await context.pool.connect();
  await writer.query('begin');
  await writer.query(`update domains set notes = 'x'`);
  const body = { confirmationCode: 'DELETE ALL DOMAINS' };
  const refused = await call('POST', '/api/admin/delete-all-domains', { as: admin.cookie, body });
  await writer.query('rollback');
  writer.release();
  expect([refused.statusCode, (await list('')).pagination.total]).toEqual([503, 1]);
});

test('non-admins get no sources, notes or authors in lists, single domains and exports', async () => {
  const { id } = (
    await add({
      domain: 'secret.example',
      source: 'hidden-source',
      sourceDetails: 'hidden-details',
      notes: 'hidden-notes',
    })
  ).json();
  for (const url of ['/api/domains', `/api/domains/${id}`, '/api/domains/export/csv']) {
    const forUser = await call('GET', url, { as: user.cookie });
    expect(forUser.body).toContain('secret.example');
    expect(forUser.body).not.toMatch(/hidden-|addedBy|sourceDetails|notes|"source"|,source,/);
    expect((await call('GET', url, { as: admin.cookie })).body).toMatch(/hidden-source.*hidden-details.*hidden-notes/s);
  }
  for (const query of ['source=x', 'sort=source', 'sort=source-desc']) {
    for (const url of ['/api/domains', '/api/domains/export/csv']) {
      const refused = await call('GET', `${url}?${query}&userIsAdmin=true`, { as: user.cookie });
      expect([refused.statusCode, refused.json().error]).toEqual([403, 'Only admins can filter or sort by source.']);
    }
  }
});

test('an unknown sort is rejected with a list of the allowed ones', async () => {
  const response = await call('GET', '/api/domains?sort=best', { as: user.cookie });
  expect(response.statusCode).toBe(400);
  expect(response.json().error).toMatch(/sort.*domain-asc.*source-desc/);
});

test('a search finds parts of names in any case and pasted URLs, and treats wildcards literally', async () => {
  for (const name of [
    'alpha.example',
    'beta-shop.example',
    'under_score.blogspot.com',
    'xn--mnchen-3ya.example',
    'underxscore.example',
  ]) {
    expect((await add({ domain: name, source: 's' })).statusCode).toBe(201);
  }
  const found = async (search: string) => getNames(await list(`search=${encodeURIComponent(search)}`));
  expect(await found('LPH')).toEqual(['alpha.example']);
  expect(await found('https://user@www.beta-shop.example:8080/page?q=alpha#x')).toEqual(['beta-shop.example']);
  expect(await found('www.beta')).toEqual(['beta-shop.example']);
  expect(await found('r_s')).toEqual(['under_score.blogspot.com']);
  expect(await found('münchen')).toEqual(['xn--mnchen-3ya.example']);
  for (const nothing of ['%', 'a%a', '\\', 'two words', 'x\0y', '☃%', "' or 1=1", 'a'.repeat(254)]) {
    expect([nothing, await found(nothing)]).toEqual([nothing, []]);
  }
  expect((await list('search=%20')).pagination.total).toBe(5);
  const long = await call('GET', `/api/domains?search=${'a'.repeat(2049)}`, { as: user.cookie });
  expect(long.statusCode).toBe(400);
});

test('filters can be combined, and a domain must match all of them', async () => {
  await add({ domain: 'a.example', source: 'x, y', niche: 'Travel' });
  await add({ domain: 'b.test', source: 'y', niche: 'Travel' });
  await add({ domain: 'c.example', source: 'z' });
  await context.pool.query(`update domains set added_at = '2020-05-05T23:59:59.999Z' where name = 'c.example'`);
  expect(getNames(await list('tld=.EXAMPLE'))).toEqual(['a.example', 'c.example']);
  expect(getNames(await list('niche=Travel'))).toEqual(['a.example', 'b.test']);
  expect(getNames(await list('source=y'))).toEqual(['a.example', 'b.test']);
  expect(getNames(await list('source=y&tld=test&niche=Travel&riskLevel=low&search=b&filter=recent'))).toEqual([
    'b.test',
  ]);
  expect(getNames(await list('filter=recent'))).toEqual(['b.test', 'a.example']);
  expect(getNames(await list('dateAdded=2020-05-05'))).toEqual(['a.example', 'b.test', 'c.example']);
  expect(getNames(await list('dateAdded=2020-05-06'))).toEqual(['a.example', 'b.test']);
  expect((await call('GET', '/api/domains/tlds', { as: user.cookie })).json()).toEqual(['example', 'test']);
  expect((await call('GET', '/api/domains/niches', { as: user.cookie })).json()).toEqual(['Travel']);
  expect((await call('GET', '/api/domains/sources', { as: admin.cookie })).json()).toEqual(['x', 'y', 'z']);
});

test('a NUL byte in a filter returns 400', async () => {
  expect((await call('GET', '/api/domains?niche=a%00b', { as: user.cookie })).statusCode).toBe(400);
});

test('every page has the exact total, even past the end', async () => {
  for (const name of ['a', 'b', 'c']) await add({ domain: `${name}.example`, source: 's' });
  expect(await list('page=1&pageSize=2')).toMatchObject({
    domains: [{ domain: 'c.example' }],
    pagination: { page: 1, pageSize: 2, total: 3, totalPages: 2 },
  });
  expect(await list('page=1000000000&pageSize=100')).toEqual({
    domains: [],
    pagination: { page: 1_000_000_000, pageSize: 100, total: 3, totalPages: 1 },
  });
  for (const query of ['page=-1', 'pageSize=0', 'pageSize=101', 'page=1.5', 'page=x']) {
    expect((await call('GET', `/api/domains?${query}`, { as: user.cookie })).statusCode).toBe(400);
  }
});

test('a user filters by confidence, with an exact total', async () => {
  await context.pool.query(
    `insert into domains (name, tld, source, risk_level, copies, proof) values
      ('one.example', 'example', '{a}', 1, 0, 0), ('copied.example', 'example', '{a,b}', 1, 1, 0),
      ('two.example', 'example', '{a,b}', 2, 0, 0), ('offer.example', 'example', '{a}', 1, 0, 1),
      ('priced.example', 'example', '{a}', 1, 0, 2)`,
  );
  const names = async (query: string) => {
    const { domains, pagination } = (await call('GET', `/api/domains?${query}`, { as: user.cookie })).json();
    expect(pagination.total).toBe(domains.length);
    return domains.map((domain: { domain: string }) => domain.domain);
  };
  expect(await names('confidence=reported')).toEqual(['copied.example', 'one.example']);
  expect(await names('confidence=probable')).toEqual(['offer.example', 'two.example']);
  expect(await names('confidence=probable&riskLevel=medium')).toEqual(['two.example']);
  expect(await names('confidence=confirmed&search=priced')).toEqual(['priced.example']);
  const csv = await call('GET', '/api/domains/export/csv?confidence=reported', { as: user.cookie });
  expect(csv.body).toMatch(/copied\.example,.*,reported,1,[\dTZ:.-]+\r\none\.example,.*,reported,1,/);
  expect((await call('GET', '/api/domains?confidence=sure', { as: user.cookie })).statusCode).toBe(400);
});

test('the export follows the query, contains every match and neutralizes formulas', async () => {
  await context.pool.query(
    `insert into domains (name, tld, source, risk_level, cost) select 'n' || i || '.example', 'example', '{s}', 1, '=1+' || i from generate_series(1, 4500) as i`,
  );
  const response = await call('GET', '/api/domains/export/csv?sort=cost-desc', { as: user.cookie });
  const lines = response.body.split('\r\n');
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="linksieve-domains-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect([lines.length, lines[0]]).toEqual([
    4502,
    'domain,description,riskLevel,niche,domainRating,outboundLinks,cost,sourceCount,dateAdded,lastUpdated,confidence,independentSourceCount,firstListedAt',
  ]);
  expect(lines[1]).toMatch(/^n4500\.example,,low,,,,'=1\+4500,1,/);
  const adminLines = (await call('GET', '/api/domains/export/csv?search=n4500', { as: admin.cookie })).body.split(
    '\r\n',
  );
  expect(adminLines[1]).toMatch(/^n4500\.example,,,,,,'=1\+4500,1,[^,]+,[^,]+,reported,1,[^,]+,low,s,/);
  const some = await call('GET', '/api/domains/export/csv?search=n44', { as: user.cookie });
  expect(some.body.split('\r\n').length).toBe(2 + 111);
});

test('a report of incorrect information reaches the inbox with the name of the account', async () => {
  const { id } = (await add({ domain: 'good.example', source: 's' })).json();
  const response = await call('POST', `/api/domains/${id}/reports`, {
    as: user.cookie,
    body: { message: '  This is my own site.  ' },
  });
  expect(response.statusCode).toBe(201);
  const { rows } = await context.pool.query(
    'select name, email, subject, message, domain_id as domain from messages where id = $1',
    [response.json().id],
  );
  expect(rows).toEqual([
    {
      name: user.username,
      email: `${user.username}@mail.example`,
      subject: 'Incorrect information about good.example',
      message: 'This is my own site.',
      domain: id,
    },
  ]);
  for (const [path, message, status] of [
    [id, 'short', 400],
    [999_999_999, 'A long enough text', 404],
  ] as const) {
    expect(
      (await call('POST', `/api/domains/${path}/reports`, { as: user.cookie, body: { message } })).statusCode,
    ).toBe(status);
  }
});

test('the stats have the number of domains by level and the last change', async () => {
  await add({ domain: 'a.example', source: 's' });
  await add({ domain: 'b.example', source: 's', riskLevel: 'very high' });
  const stats = (await call('GET', '/api/stats/count')).json();
  expect(stats).toMatchObject({ total: 2, low: 1, medium: 0, high: 0, veryHigh: 1 });
  expect(Date.now() - Date.parse(stats.lastUpdated)).toBeLessThan(60_000);
});
