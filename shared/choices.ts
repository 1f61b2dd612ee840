// Values used both in screen URLs and in endpoints. They have their own file because the first load contains the URL
// schemas of all screens, and importing the endpoints there would make it larger.

export const submissionStatuses = ['pending', 'approved', 'rejected'] as const;
export const submissionPageSizes = [5, 10, 20, 50] as const;

/** States of a contact message in the inbox. */
export const messageStates = ['new', 'read', 'replied'] as const;

/** Filters for the list of accounts. */
export const userFilters = ['all', 'admins', 'disabled'] as const;

/** Kinds of background work. */
export const jobKinds = ['import', 'analysis', 'sources', 'maintenance', 'mail', 'housekeeping'] as const;

/** What a listing proves, strongest first. */
export const sourceKinds = ['inventory', 'submission', 'manual', 'disavow', 'list'] as const;
