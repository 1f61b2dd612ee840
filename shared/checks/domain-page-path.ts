// Not in `pages.ts`, which the first load of every screen contains.

/** The public pages of domains. A form can send the name as `?domain=`, and a search bar any text as `?search=`. */
export const domainPagePath = '/domain';
export const toDomainPage = <Name extends string>(name: Name) => `${domainPagePath}/${name}` as const;
