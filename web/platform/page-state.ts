import type { DehydratedState } from '@tanstack/react-query';
import type { PageState } from '#shared/pages.ts';
import type { Display, PageInput } from '#shared/rendered-page.ts';

/** What a served page contains for the app. */
export interface PageData extends Display {
  state: PageState;
  /** The parts whose code the page needs (load-part.ts). */
  parts: string[];
  /** The responses that the page shows. */
  queries: DehydratedState;
}

/** What a rendered page says about itself. Components set it with `describePage`. */
export interface PageDescription {
  title?: string | undefined;
  description?: string | undefined;
  /** The HTTP status, 200 by default. */
  status?: number;
  /** Whether search engines may list the page. By default, the public pages. */
  isIndexed?: boolean;
  /** The path to go to instead. */
  redirect?: string;
}

/** A request, and what is known about its page while it is rendered. */
export interface ServedRequest extends PageInput {
  page: PageDescription;
  parts: Set<string>;
}

let findServed: () => ServedRequest | undefined = () => undefined;

/** Sets how to find the request that is being rendered. Only the server calls it (render.tsx). */
export function serveRequests(find: typeof findServed): void {
  findServed = find;
}

/** The request that the server is rendering; undefined in a browser. */
export const servedRequest = (): PageInput | undefined => findServed();

/** Sets the title, the status and the like of the page that is being rendered. Does nothing in a browser. */
export function describePage(description: PageDescription): void {
  Object.assign(findServed()?.page ?? {}, description);
}

/** Adds a part to those that the page contains. */
export const addPart = (name: string): unknown => findServed()?.parts.add(name);

const unknown: PageState = {
  bookACallUrl: null,
  operator: null,
  sendsMail: false,
  takesPayments: false,
  debug: false,
  demoResetsAt: null,
  localSignIn: true,
  signInProviders: [],
  google: null,
  extensionLinks: { chrome: '#chrome', edge: '#chrome', firefox: '#firefox' },
  indexesDomains: false,
  origin: '',
};

/** The element of the data, and what it contains. */
let parsed: { element: HTMLElement; data: PageData } | undefined;

/** What the served page contains; undefined if it was not rendered by the server, as in tests. */
export function pageData(): PageData | undefined {
  const element = typeof document === 'undefined' ? null : document.getElementById('page-data');
  if (!element) return undefined;
  if (parsed?.element !== element) parsed = { element, data: JSON.parse(element.textContent) };
  return parsed.data;
}

/** The facts about the installation. They have default values in tests, and with Vite's development server. */
export const pageState = (): PageState => findServed()?.state ?? pageData()?.state ?? unknown;

/** What the served page was rendered for; undefined if the page was not rendered by the server. */
export const servedDisplay = (): Display | undefined => findServed() ?? pageData();

/** The nonce that the Content-Security-Policy requires for style elements. */
export function styleNonce(): string {
  if (typeof document === 'undefined') return findServed()?.nonce ?? '';
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
