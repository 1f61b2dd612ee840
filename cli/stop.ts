/** The command was called wrongly, or its file can not be used: nothing was asked. Told without a stack. */
export class WrongUse extends Error {}

/** Not everything could be checked, for a reason that the message tells a person. What was checked is kept. */
export class CannotFinish extends Error {}
