/** Counts the turns that others have while something works. */
export class TurnCount {
  turns = 0;
  #isOver = false;

  constructor() {
    const count = () => {
      this.turns += 1;
      if (!this.#isOver) setTimeout(count);
    };
    setTimeout(count);
  }

  /** @returns how many turns there were */
  end(): number {
    this.#isOver = true;
    return this.turns;
  }
}
