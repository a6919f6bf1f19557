import { FileFault } from './format.ts';

/** Max length of the texts of one feature, and of each of them, characters. */
export const MAX_TEXT = 1024 * 1024;

/** Characters counted for a property, because it takes memory even without a text. */
const PROPERTY = 32;

/** The properties of a feature whose texts come one by one, as in XML. */
export class TextProperties {
  readonly values: Record<string, string> = {};
  readonly #element: string;
  #length = 0;
  /** How often there has been each name. */
  readonly #uses = new Map<string, number>();

  /** @param element what people call the feature, for messages */
  constructor(element: string) {
    this.#element = element;
  }

  /** @throws FileFault if there are too many */
  set(name: string, text: string): void {
    this.#length += name.length + text.length + PROPERTY;
    if (this.#length > MAX_TEXT) {
      throw new FileFault(`a ${this.#element} must not have more than ${MAX_TEXT} characters of properties`);
    }
    const value = text.trim();
    Object.defineProperty(this.values, this.#freeName(name, value), { value, enumerable: true });
  }

  /** The name for a text: `name_2` where there is another text under it, as in `name` and a field `name`. */
  #freeName(name: string, text: string): string {
    let uses = this.#uses.get(name) ?? 1;
    let free = name;
    while (Object.hasOwn(this.values, free) && this.values[free] !== text) {
      uses += 1;
      free = `${name}_${uses}`;
    }
    this.#uses.set(name, uses);
    return free;
  }
}
