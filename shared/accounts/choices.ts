// Values used both by screens and by endpoints. They have their own file, so that a screen that needs only a list of
// values does not load the endpoints.

/** States of a contact message in the inbox. */
export const messageStates = ['new', 'read', 'replied'] as const;

/** Filters for the list of accounts. */
export const userFilters = ['all', 'admins', 'disabled', 'locked'] as const;
