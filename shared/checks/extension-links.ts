import * as z from 'zod/mini';

/** Where users of each browser get the extension: a page of a store, or the steps on the page of the extension. */
export const ExtensionLinks = z.object({ chrome: z.string(), edge: z.string(), firefox: z.string() });
export type ExtensionLinks = z.infer<typeof ExtensionLinks>;

type StoreUrls = { [browser in keyof ExtensionLinks]: string | undefined };

/** Returns the store pages. A browser without one gets the anchor of its steps. */
export function toExtensionLinks({ chrome, edge, firefox }: StoreUrls): ExtensionLinks {
  return { chrome: chrome ?? '#chrome', edge: edge ?? '#chrome', firefox: firefox ?? '#firefox' };
}

/** The packed extensions that the build writes. Edge uses the one for Chrome. */
export const extensionFiles = {
  chrome: '/extension/linksieve-chrome.zip',
  firefox: '/extension/linksieve-firefox.zip',
} as const;
