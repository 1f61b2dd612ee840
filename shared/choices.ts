// Values that addresses of screens name as well as contracts. They stand apart so that the first load, which knows every address
// of the site, does not carry the contracts too.

export const submissionStatuses = ['pending', 'approved', 'rejected'] as const;
export const submissionPageSizes = [5, 10, 20, 50] as const;

/** Of contact messages, as the inbox files them. */
export const messageStates = ['new', 'read', 'replied'] as const;

/** Which accounts a list shows. */
export const userFilters = ['all', 'admins', 'disabled'] as const;

/** Kinds of background work. */
export const jobKinds = ['import', 'analysis', 'maintenance', 'mail', 'housekeeping'] as const;
