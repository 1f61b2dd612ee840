/** A reason not to start that a person can mend; told without a stack. */
export class StartError extends Error {}
