/** A started command and everything that it started in turn. */
export interface Family {
  /** Asks all of the process group to end. */
  ask(): void;
  /** Numbers of the members that are alive now. */
  members(): readonly number[];
  /** The same, and of those of whom it cannot be said at this moment. */
  living(): readonly number[];
  /** Kills every living member that can be found and gives the numbers as `living` does. Some can be found only after this: to be called until it finds none. */
  kill(): Promise<readonly number[]>;
}
