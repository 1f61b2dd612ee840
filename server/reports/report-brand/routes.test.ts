import { expect, test } from 'vitest';
import { createScenario } from '../../security/scenario.fixtures.ts';

const { call, context, create, users } = await createScenario();
const as = users.owner.cookie;

const pictures = {
  'image/png': '89504e470d0a1a0a0000000d',
  'image/jpeg': 'ffd8ffe000104a464946',
  'image/webp': '52494646240000005745425056503820',
};
const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const save = (body: object) => call('PUT', '/api/account/report-brand', { as, body });

test('a shared report shows the name and logo of its owner, with the type of the picture', async () => {
  const { token } = await create.sharedReport();
  const read = async () => (await call('GET', `/api/shared/${token}`)).json().brand;
  expect(await read()).toEqual({ name: '', logo: null });
  for (const [type, hex] of Object.entries(pictures)) {
    await save({ name: ' Studio North ', logo: toBase64(hex) });
    const { name, logo } = await read();
    expect([name, logo]).toEqual(['Studio North', expect.stringContaining(`/api/shared/${token}/logo`)]);
    const { headers, rawPayload } = await call('GET', logo);
    expect([headers['content-type'], headers['x-content-type-options'], rawPayload.toString('hex')]).toEqual([
      type,
      'nosniff',
      hex,
    ]);
  }
  expect((await save({ name: 'Other' })).json().logo).toContain('/api/account/report-brand/logo');
  expect((await save({ name: 'Other', logo: null })).json()).toEqual({ name: 'Other', logo: null });
  expect((await call('GET', `/api/shared/${token}/logo`)).statusCode).toBe(404);
});

test('other files and large pictures are refused', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64');
  const large = Buffer.concat([Buffer.from(pictures['image/png'], 'hex'), Buffer.alloc(200 * 1024)]).toString('base64');
  const errors = await Promise.all([svg, large, 'no base64!'].map((logo) => save({ name: 'Studio', logo })));
  expect(errors.map((response) => [response.statusCode, response.json().fields.logo])).toEqual([
    [400, 'The logo must be a PNG, JPEG or WebP picture.'],
    [400, 'The logo must not exceed 200 kB.'],
    [400, expect.any(String)],
  ]);
});

test('the name and logo are in the file with the data of the account, and deleted with it', async () => {
  const logo = toBase64(pictures['image/png']);
  await save({ name: 'Studio', logo });
  expect((await call('GET', '/api/account/data', { as })).json().reportBrand).toEqual({
    name: 'Studio',
    logoType: 'image/png',
    logo,
  });
  await context.db.deleteFrom('users').where('id', '=', users.owner.id).execute();
  expect(await context.db.selectFrom('report_brands').selectAll().execute()).toEqual([]);
});
