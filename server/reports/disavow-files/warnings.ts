import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import { describeProtection, type Guard } from '../../blacklist/guard/guard.ts';
import { areRelated, registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { Merge } from './merge.ts';
import type { Entry } from './parse.ts';

/** Warnings of one kind. The rest is only counted. */
const maxWarningsPerKind = 10;
/** The share of a limit from which there is a warning. */
const nearLimit = 0.9;

/** Returns a sentence for each line and decision that would disavow the website itself, its parent or a part of it. */
export function describeOwnSite({ lines, own }: Merge, website: string): string[] {
  const disavowed = lines.flatMap(({ state, line }, index) => {
    if (state !== 'valid' || line.kind !== 'entry' || !isOwn(line.entry, website)) return [];
    return [`Line ${index + 1}, “${line.entry.text}”, disavows ${describeOwn(line.entry, website)}. Remove the line.`];
  });
  const decided = own.map(
    (name) =>
      `You decided to disavow ${name}, but it is ${describeOwn({ kind: 'domain', name }, website)}. It is not added.`,
  );
  return limitWarnings(
    [...disavowed, ...decided],
    ['line or decision disavows your own website.', 'lines and decisions disavow your own website.'],
  );
}

/**
 * Whether an entry disavows a website, a part of it, or the domain that it belongs to. A page of a shared host such as
 * medium.com belongs to another owner than a website below it.
 */
export const isOwn = ({ kind, name }: Pick<Entry, 'kind' | 'name'>, website: string): boolean =>
  areRelated(name, website) && (kind === 'domain' || registrableDomain(name) !== undefined);

/** 'your own website', 'a page of your own website' */
export function describeOwn({ kind, name }: Pick<Entry, 'kind' | 'name'>, website: string): string {
  if (kind === 'url') return 'a page of your own website';
  if (name === website) return 'your own website';
  return name.endsWith(`.${website}`)
    ? 'a subdomain of your own website'
    : 'the domain that your own website belongs to';
}

/**
 * Returns a sentence for each other thing about an uploaded file and its merged file that the user should know before
 * giving it to Google.
 */
export function describeProblems(merge: Merge, uploaded: { lines: number; bytes: number }, guard: Guard): string[] {
  return [
    ...describeSize(merge, uploaded),
    ...limitWarnings(
      merge.conflicts.map(
        ({ domain, kept }) =>
          `The merged file leaves out ${domain}, because it would also disavow ${kept}, which you decided to keep.`,
      ),
      [
        'domain is left out because of a domain that you keep.',
        'domains are left out because of domains that you keep.',
      ],
    ),
    ...limitWarnings(
      merge.added.flatMap((name) => describeProtected(name, guard)),
      ['domain that the merged file adds is protected.', 'domains that the merged file adds are protected.'],
    ),
    ...limitWarnings(findSharedRoots(merge).map(describeSharedRoot), [
      'line disavows websites of many owners.',
      'lines disavow websites of many owners.',
    ]),
  ];
}

function describeSize(merge: Merge, uploaded: { lines: number; bytes: number }): string[] {
  const { lines, bytes } = googleDisavowLimits;
  const limits = `${format(lines)} lines and ${format(bytes)} bytes`;
  const size = (file: { lines: number; bytes: number }) =>
    `${format(file.lines)} lines and ${format(file.bytes)} bytes`;
  const merged = { lines: merge.lineCount, bytes: merge.bytes };
  const exceeds = (file: { lines: number; bytes: number }, share = 1) =>
    file.lines > share * lines || file.bytes > share * bytes;
  const found: string[] = [];
  if (exceeds(uploaded)) {
    found.push(`Google rejects the file that you uploaded: it has ${size(uploaded)}. The limits are ${limits}.`);
  }
  if (merge.leftOut > 0) {
    const left = merge.leftOut === 1 ? 'a domain' : `${format(merge.leftOut)} domains`;
    found.push(
      `The merged file leaves out ${left} that you decided to disavow, because of Google's limits: ${limits}.`,
    );
  }
  if (exceeds(merged)) {
    found.push(`Google rejects the merged file: it has ${size(merged)}. Remove lines: the limits are ${limits}.`);
  } else if (exceeds(merged, nearLimit)) {
    found.push(`The merged file is close to Google's limits: it has ${size(merged)}. The limits are ${limits}.`);
  }
  return found;
}

function describeProtected(name: string, guard: Guard): string[] {
  const protection = guard(name);
  if (!protection) return [];
  const reason = describeProtection(protection);
  const start = `${name} is `;
  // "The merged file contains example.com, a well-known site."
  if (reason.startsWith(start)) return [`The merged file contains ${name}, ${reason.slice(start.length)}`];
  return [`The merged file contains ${name}. ${reason}`];
}

/** Returns the domains in the merged file whose subdomains or pages belong to many owners. */
function findSharedRoots({ lines, added }: Merge): string[] {
  const names = lines.flatMap(({ state, line }) =>
    state === 'valid' && line.kind === 'entry' && line.entry.kind === 'domain' ? [line.entry.name] : [],
  );
  return [...names, ...added].filter((name) => registrableDomain(name) === undefined);
}

const describeSharedRoot = (name: string) =>
  `“domain:${name}” disavows the websites of many owners. Disavow single ones instead, such as “domain:name.${name}”.`;

/** Returns the first sentences, and one that counts the others: its end for one and for several. */
function limitWarnings(sentences: readonly string[], [one, several]: readonly [string, string]): string[] {
  const more = sentences.length - maxWarningsPerKind;
  if (more <= 0) return [...sentences];
  return [...sentences.slice(0, maxWarningsPerKind), `${format(more)} more ${more === 1 ? one : several}`];
}

const format = (count: number) => count.toLocaleString('en-US');
