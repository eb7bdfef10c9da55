/** Thrown when an input would take too long; the caller reports that instead of hanging. */
export class BudgetExceeded extends Error {}

/** Counts the steps of a search, so that no input makes it slow. */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws BudgetExceeded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw new BudgetExceeded("The patch takes too many steps.");
    }
  }
}
