import type { PageState } from './pages.ts';

/** What the server knows about the browser. */
export interface Display {
  /** The time zone of dates, as an IANA name. */
  timeZone: string;
  /** The width of the window in CSS pixels. */
  width: number;
  /** The same without a scroll bar. */
  contentWidth: number;
}

/** What the server passes to the renderer of pages (web/render.tsx). */
export interface PageInput extends Display {
  /** The path and query. */
  url: string;
  state: PageState;
  hasSession: boolean;
  /** The nonce that the Content-Security-Policy requires for style elements. */
  nonce: string;
  /** Calls the API as the browser of this request would. */
  fetch(url: string): Promise<PageResponse>;
}

/** A response of the API: the part of `Response` that the app uses. */
export interface PageResponse {
  status: number;
  statusText: string;
  text(): Promise<string>;
}

export interface RenderedPage {
  status: number;
  /** The path to go to instead. */
  redirect: string | undefined;
  /** Whether search engines may list the page; undefined if the page does not say. */
  isIndexed: boolean | undefined;
  /** Whether nobody is signed in. */
  isVisitor: boolean;
  /** The HTML of the head. */
  head: string;
  /** The HTML of the root element. */
  body: string;
  /** JSON for a script element. */
  data: string;
  /** The names of the components that are loaded separately: the screen, and parts of it. */
  components: string[];
  /** Why the page has no body. The app renders it in the browser. */
  failure: unknown;
}

/** The module that the build creates from web/render.tsx. */
export interface PageRenderer {
  /** The pages for everyone. */
  pages: readonly { path: string; title: string; description: string }[];
  renderPage(input: PageInput): Promise<RenderedPage>;
}

/** What the build writes for the server: dist/render/files.json. */
export interface BuiltFiles {
  /**
   * The HTML of a page with the styles that all pages need. It has the comments `head`, `styles` and `body` where these
   * belong, and `__STYLE_NONCE__` and `__SCRIPT_NONCE__`.
   */
  template: string;
  /** The style sheets that only some pages need, in their order, and the classes in them. */
  styles: { file: string; css: string; classes: string[] }[];
  /** The script that starts the app. */
  entry: string;
  /** The scripts that each script imports. */
  imports: Record<string, string[]>;
  /** The scripts of the components, by name. */
  components: Record<string, string>;
}
