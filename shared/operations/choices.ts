// Values used both by screens and by endpoints. They have their own file, so that a screen that needs only a list of
// values does not load the endpoints.

/** Kinds of background work. */
export const jobKinds = ['import', 'analysis', 'feed', 'sources', 'maintenance', 'mail', 'housekeeping'] as const;
