import type { AddressPlace, Ask } from './places.ts';

/** What a form of the field is given. */
export interface Setting {
  readonly ask: Ask;
  /** What must be chosen, separated by commas. */
  readonly level: string;
  /** The code of an area that everything lies in. */
  readonly within: string | null;
  readonly placeholder: string;
  /** The name of the field for people who don't see it. */
  readonly name: string;
  /** What is said if nothing is chosen. */
  readonly wish: string;
  /** Takes what a person has chosen, or undefined and whether something else was typed or chosen in its place. */
  choose(place: AddressPlace | undefined, isUnfinished?: boolean): void;
  /** Submits the form, as Enter does in a field. */
  submit(): void;
  /** Tells the person something; with `quiet` only those who listen. */
  say(text: string, look?: 'quiet' | 'error'): void;
  /** Tells what went wrong, with a button that tries it again. */
  fail(error: unknown, again: () => void): void;
}

/** A form of the field: one that searches, or drop-downs. */
export interface Field {
  /** Disables all of its controls with it. */
  readonly element: HTMLFieldSetElement;
  /** The first to be chosen first. */
  readonly controls: readonly (HTMLInputElement | HTMLSelectElement)[];
  /** Shows what is chosen. */
  show(place: AddressPlace | undefined): void;
  /** Ends what is running. */
  stop(): void;
}

/** The levels of drop-downs, with their names. */
export const LEVELS: Readonly<Record<string, string>> = {
  region: 'Region',
  province: 'Province',
  municity: 'City or municipality',
  barangay: 'Barangay',
};
