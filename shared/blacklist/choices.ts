// Values used both by screens and by endpoints. They have their own file, so that a screen that needs only a list of
// values does not load the endpoints.

export const submissionStatuses = ['pending', 'approved', 'rejected'] as const;
export const submissionPageSizes = [5, 10, 20, 50] as const;

/** What a listing proves, strongest first. */
export const sourceKinds = ['inventory', 'submission', 'manual', 'disavow', 'list'] as const;

/** How a list is written. Archives (gzip, zip) are unpacked first. */
export const feedFormats = [
  ...(['plain', 'hosts', 'disavow', 'adblock', 'ublacklist', 'csv', 'json'] as const),
  ...(['dnsmasq', 'rpz', 'unbound', 'clash', 'yaml', 'map'] as const),
] as const;
export const feedKinds = ['block', 'allow'] as const;
export const feedStates = ['new', 'ok', 'unchanged', 'failing', 'review', 'disabled'] as const;
/** The parts of the catalogue of feeds. */
export const feedGroups = ['sellers', 'disavow', 'spamdexing', 'wellKnown'] as const;

export const discoveryStatuses = ['proposed', 'accepted', 'rejected', 'nothing'] as const;
export const discoveryPageSize = 10;
