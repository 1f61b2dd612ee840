import { expect, test } from 'vitest';
import { listableName, normalizeHost } from '../../hostnames/hosts/hosts.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { findInstitutionEnding, hasGuardGrown, insertAllowRule, loadGuard, wellKnownSites } from './guard.ts';
import { getGuardVersion, insertSuggestions, saveListRule, upsertSharedHost } from './queries.ts';

const { context, signUp } = await startTestApp();
const { db } = context;
const { id: userId } = await signUp({ admin: true });
const now = new Date();

test('there are thousands of well-known sites, each with a name that could be listed', () => {
  expect(wellKnownSites.size).toBeGreaterThan(5000);
  const wrong = [...wellKnownSites].filter((name) => {
    const listable = listableName(name);
    return 'reason' in listable || listable.name !== name;
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['google.com', 'google.com is a well-known site.'],
  ['docs.google.com', 'docs.google.com belongs to google.com, a well-known site.'],
  ['a.b.bbc.co.uk', 'a.b.bbc.co.uk belongs to bbc.co.uk, a well-known site.'],
  ['xn--google.com', undefined],
  ['notgoogle.com', undefined],
  ['google.com.shop.example', undefined],
  ['example.com', undefined],
])('the guard says about %s: %s', async (name, reason) => {
  expect((await loadGuard(db))(name)?.reason).toBe(reason);
});

test.each([
  ['nasa.gov', '.gov'],
  ['www.gov.uk', '.gov.uk'],
  ['city.nsw.gov.au', '.gov.au'],
  ['mit.edu', '.edu'],
  ['usp.edu.br', '.edu.br'],
  ['army.mil', '.mil'],
  ['ox.ac.uk', '.ac.uk'],
  ['u-tokyo.ac.jp', '.ac.jp'],
  ['sat.gob.mx', '.gob.mx'],
  ['impots.gouv.fr', '.gouv.fr'],
  ['bps.gub.uy', '.gub.uy'],
  ['ird.govt.nz', '.govt.nz'],
  ['tax.gc.ca', '.gc.ca'],
  ['mofa.go.jp', '.go.jp'],
  ['kra.go.ke', '.go.ke'],
  ['bka.gv.at', '.gv.at'],
  ['bag.admin.ch', '.admin.ch'],
  ['ec.europa.eu', '.europa.eu'],
  ['who.int', '.int'],
  ['trust.nhs.uk', '.nhs.uk'],
  ['kent.police.uk', '.police.uk'],
  ['hill.kent.sch.uk', '.sch.uk'],
  ['lausd.k12.ca.us', '.k12.ca.us'],
  ['www.parliament.uk', '.parliament.uk'],
  ['news.gov.bc.ca', '.gov.bc.ca'],
  ['gov.example', undefined],
  ['my-gov.com', undefined],
  ['edu.shop.test', undefined],
  ['go.fr', undefined],
  ['academy.com', undefined],
])('the ending of %s that belongs to public institutions: %s', (name, ending) => {
  expect(findInstitutionEnding(normalizeHost(name) ?? name)).toBe(ending);
});

test('an address of a page needs a decision, and a name does not', async () => {
  const guard = await loadGuard(db);
  expect(guard('blog.example')).toBeUndefined();
  expect(guard('blog.example', 'https://blog.example/post')?.reason).toBe(
    'The file contains the address of a page, not of a whole site: https://blog.example/post',
  );
});

test('an allow rule protects a domain with its subdomains, and a decision to list applies to one name', async () => {
  await insertAllowRule(db, { domain: 'friend.example', reason: 'A partner', userId, now });
  await saveListRule(db, { domain: 'shop.friend.example', reason: 'Decided', userId, now });
  await saveListRule(db, { domain: 'ebay.com', reason: 'Decided', userId, now });
  for (const guard of [
    await loadGuard(db),
    await loadGuard(db, ['blog.friend.example', 'shop.friend.example', 'ebay.com']),
  ]) {
    expect(guard('blog.friend.example')).toEqual({
      reason: 'An allow rule protects friend.example: A partner.',
      allowedBy: 'friend.example',
    });
    expect(guard('shop.friend.example', 'https://shop.friend.example/page')).toBeUndefined();
    expect(guard('ebay.com')).toBeUndefined();
  }
  expect((await loadGuard(db))('pages.ebay.com')?.reason).toContain('a well-known site');
});

test('a new allow rule replaces earlier decisions to list the domain or its subdomains', async () => {
  await saveListRule(db, { domain: 'a.later.example', reason: 'Decided', userId, now });
  await saveListRule(db, { domain: 'another-later.example', reason: 'Decided', userId, now });
  await insertAllowRule(db, { domain: 'later.example', reason: 'It was sold.', userId, now });
  const guard = await loadGuard(db);
  expect(guard('a.later.example')?.allowedBy).toBe('later.example');
  expect(await insertAllowRule(db, { domain: 'later.example', reason: 'Again', userId, now })).toBeUndefined();
});

test('a new allow rule replaces a suggested shared host, but not one that an admin added', async () => {
  await insertSuggestions(db, [{ domain: 'blogs.example', reason: 'Many subdomains' }], { userId, now });
  const version = await getGuardVersion(db);
  const id = await insertAllowRule(db, { domain: 'blogs.example', reason: 'A partner', userId, now });
  expect(id).toBeGreaterThan(version.ruleId);
  expect(await hasGuardGrown(db, version)).toBe(true);
  expect((await loadGuard(db))('a.blogs.example')?.allowedBy).toBe('blogs.example');

  await upsertSharedHost(db, { domain: 'shared.example', reason: 'Free blogs', userId, now });
  await expect(insertAllowRule(db, { domain: 'shared.example', reason: 'A partner', userId, now })).rejects.toThrow(
    'shared.example is a shared host. Delete it from the shared hosts first.',
  );
});

test('a well-known site does not protect the websites of others below it', async () => {
  const guard = await loadGuard(db, ['spam.blogs.sapo.pt', 'mail.sapo.pt', 'customer.home.pl']);
  expect(guard('spam.blogs.sapo.pt')).toBeUndefined();
  expect(guard('customer.home.pl')).toBeUndefined();
  expect(guard('mail.sapo.pt')).toMatchObject({ reason: 'mail.sapo.pt belongs to sapo.pt, a well-known site.' });
});
