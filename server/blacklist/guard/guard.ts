import { readFileSync } from 'node:fs';
import { parentNames, registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, HttpError } from '../../platform/http/errors.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { type GuardVersion, getGuardVersion, listSharedHosts, type NewRule, saveListRule } from './queries.ts';
import * as store from './store.ts';

/** Well-known sites, by their registrable domain or the name of one of their services. */
export const wellKnownSites: ReadonlySet<string> = new Set(
  readFileSync(new URL('./well-known-sites.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((name) => name !== ''),
);

/** Top-level domains that only public institutions can register under. */
const institutionTlds: ReadonlySet<string> = new Set(['gov', 'edu', 'mil', 'int']);
/** Second labels that mean the same under every two-letter top-level domain: .gov.uk, .ac.jp, .gob.mx. */
const institutionLabels: ReadonlySet<string> = new Set('gov edu mil ac gob gouv gub govt gv sch k12'.split(' '));
/** Where .go.xx is for the government. */
const goCountries: ReadonlySet<string> = new Set('jp kr id th ke tz ug cr ci tj'.split(' '));
/** Labels before the two letters of a state or province: k12.ca.us, gov.bc.ca. */
const stateLabels: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['us', new Set(['k12', 'state', 'lib', 'cc', 'tec', 'gov'])],
  ['ca', new Set(['gov', 'gouv'])],
]);
const otherInstitutions: ReadonlySet<string> = new Set(
  (
    'admin.ch dep.no ed.jp europa.eu fed.us fgov.be gc.ca gov.cymru gov.scot gov.wales judiciary.uk jus.br kommune.no ' +
    'leg.br lg.jp llyw.cymru mod.uk mp.br nhs.scot nhs.uk parliament.nz parliament.uk police.uk royal.uk school.nz stat.no'
  ).split(' '),
);

/** Top-level domains of more than two letters that some of `otherInstitutions` have. */
const otherTlds: ReadonlySet<string> = new Set(
  [...otherInstitutions].map((name) => name.slice(name.lastIndexOf('.') + 1)).filter((tld) => tld.length > 2),
);

/** Returns the ending, such as `.ac.uk`, if only public institutions have names with it. */
export function findInstitutionEnding(name: string): string | undefined {
  const tld = name.slice(name.lastIndexOf('.') + 1);
  if (institutionTlds.has(tld)) return `.${tld}`;
  // Most names end here. An import calls this for each of its rows.
  if (tld.length !== 2 && !otherTlds.has(tld)) return undefined;
  const labels = name.split('.');
  const second = labels.at(-2) ?? '';
  if (tld.length === 2) {
    if (institutionLabels.has(second) || (second === 'go' && goCountries.has(tld))) return `.${second}.${tld}`;
    const third = labels.at(-3) ?? '';
    if (second.length === 2 && stateLabels.get(tld)?.has(third)) return `.${third}.${second}.${tld}`;
  }
  const parent = `${second}.${tld}`;
  return otherInstitutions.has(parent) ? `.${parent}` : undefined;
}

/** Why a name is not listed without an admin's decision. */
export interface Protection {
  /** A sentence. */
  reason: string;
  /** The domain of the allow rule that covers the name. */
  allowedBy?: string;
}

/** Returns the reason as a sentence for users. The text of an admin's rule is only for admins. */
export function describeProtection({ reason, allowedBy }: Protection): string {
  return allowedBy === undefined ? reason : 'An admin protects this site.';
}

/**
 * Returns why a name is not listed without an admin's decision; undefined for a name that anyone may list.
 * @param page the address of a page, if an import contains that instead of a name
 */
export type Guard = (name: string, page?: string) => Protection | undefined;

/**
 * Creates the guard that protects good sites from being listed by mistake. An admin's rule for exactly this name comes
 * first, then allow rules for its parents, then the lists that protect sites, and then what applies to every
 * installation: well-known sites, public institutions, and addresses of pages. A well-known site does not protect the
 * websites of others below it.
 * @param names loads only what concerns these names and their parents. Without it, loads everything.
 */
export async function loadGuard(db: Db, names?: readonly string[]): Promise<Guard> {
  const parents = names && [...new Set(names.flatMap(parentNames))];
  const rules = new Map((await store.listDecisions(db, parents)).map((rule) => [rule.domain, rule]));
  const lists = await store.listProtectedNames(db, parents);
  return (name, page) => {
    if (rules.get(name)?.decision === 'list') return undefined;
    let listed: string | undefined;
    let wellKnown: string | undefined;
    // The name and then each parent with at least two labels.
    for (let from = 0, dot = name.indexOf('.'); dot >= 0; from = dot + 1, dot = name.indexOf('.', from)) {
      const parent = name.slice(from);
      const rule = rules.get(parent);
      if (rule?.decision === 'allow') {
        return { reason: `An allow rule protects ${parent}: ${toSentence(rule.reason)}`, allowedBy: parent };
      }
      if (lists.has(parent)) listed ??= parent;
      if (wellKnownSites.has(parent)) wellKnown ??= parent;
    }
    if (listed !== undefined) {
      return { reason: `The list ${lists.get(listed)} protects ${listed}.` };
    }
    // The website of a customer below `blogs.sapo.pt` does not belong to sapo.pt.
    if (wellKnown !== undefined && wellKnown.length >= (registrableDomain(name) ?? name).length) {
      return {
        reason:
          wellKnown === name ? `${name} is a well-known site.` : `${name} belongs to ${wellKnown}, a well-known site.`,
      };
    }
    const ending = findInstitutionEnding(name);
    if (ending !== undefined) return { reason: `Names under ${ending} belong to public institutions.` };
    return page === undefined
      ? undefined
      : { reason: `The file contains the address of a page, not of a whole site: ${page}` };
  };
}

const toSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * Makes sure that an admin who lists a guarded name has confirmed it, and then lets later imports of exactly this name
 * pass. Call it in the transaction that lists the name.
 * @returns the reason that the admin overruled, for the audit log; undefined for a name that anyone may list
 * @throws 409 without the confirmation
 */
export async function requireConfirmation(
  trx: Db,
  name: string,
  { isConfirmed, admin, now }: { isConfirmed: boolean; admin: Pick<Identity, 'id'>; now: Date },
): Promise<string | undefined> {
  const protection = (await loadGuard(trx, [name]))(name);
  if (!protection) return undefined;
  if (!isConfirmed) throw new HttpError(409, 'needs_confirmation', protection.reason);
  await saveListRule(trx, { domain: name, reason: protection.reason, userId: admin.id, now });
  return protection.reason;
}

/** How long to wait for an import that is being written. */
const lockSeconds = 5;

/**
 * Waits for an import that is being written, and keeps others from being written until the transaction ends.
 * @throws the database's lock timeout (wrap the call in `mapLockError`)
 */
export const lockImports = (trx: Db): Promise<void> => store.lockMerge(trx, lockSeconds);

/**
 * Stores an allow rule for a domain and its subdomains. Replaces rules that list one of them. An import that is being
 * written has not read the rule, so it has to finish first.
 * @returns the rule's id, or undefined if the domain already has an allow rule
 * @throws 409 for a shared host that an admin added, and the database's lock timeout while an import is being written
 *   (wrap the call in `mapLockError`)
 */
export async function insertAllowRule(trx: Db, rule: NewRule): Promise<number | undefined> {
  await lockImports(trx);
  await store.deleteListRules(trx, rule.domain);
  const id = await store.insertAllowRule(trx, rule);
  if (id === undefined && (await listSharedHosts(trx)).includes(rule.domain))
    throw conflict(`${rule.domain} is a shared host. Delete it from the shared hosts first.`);
  return id;
}

/**
 * Whether the guard protects more sites than at a version: an allow rule or a shared host was added, or a list that
 * protects sites grew.
 */
export async function hasGuardGrown(db: Db, { ruleId, listTime }: GuardVersion): Promise<boolean> {
  const now = await getGuardVersion(db);
  return now.ruleId > ruleId || now.listTime > listTime;
}
