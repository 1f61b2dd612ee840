/** One fault that is caused on purpose, and the promise that must hold. */
export interface Trial {
  /** The name on the command line, such as `slow-clients`. */
  name: string;
  /** What is done, for the table: `SIGTERM while a client sends its body slowly`. */
  fault: string;
  /** What must hold, for the table: `The server exits within 10 s`. */
  promise: string;
  /** `npm run test:thorough` runs the short trials. */
  short?: true;
  /** Whether only root can cause the fault. Other users skip the trial. */
  needsRoot?: true;
  /**
   * @returns the measured figures, for the table: `exited after 5.2 s`
   * @throws if the promise is broken
   */
  run(): Promise<string>;
}
