import { controlOf, unnamed } from './address/control.ts';
import type { AddressPlace } from './address/places.ts';

export type { AddressPlace };

/**
 * `<psgc-address base-url="https://geo.example">`: a field of a form for a place in the Philippines, which is typed
 * (`mode="search"`) or chosen in drop-downs (`mode="cascade"`). The form is sent the codes and the label of the place.
 */
export class PsgcAddress extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = [
    ...['api-key', 'base-url', 'label', 'level', 'mode', 'name', 'placeholder', 'required', 'value', 'within'],
  ];

  readonly #control = controlOf(this, this.attachInternals());

  connectedCallback(): void {
    this.#control.read();
  }

  disconnectedCallback(): void {
    this.#control.stop();
  }

  attributeChangedCallback(name: string): void {
    this.#control.read(name);
  }

  formResetCallback(): void {
    this.#control.show(unnamed(this.getAttribute('value')));
  }

  formDisabledCallback(): void {
    this.#control.read('disabled');
  }

  formStateRestoreCallback(state: unknown): void {
    if (typeof state === 'string') this.#control.show(JSON.parse(state));
  }

  /** The code of the chosen place; empty where none is chosen. */
  get value(): string {
    return this.place?.code ?? '';
  }

  set value(code: string) {
    this.#control.show(unnamed(code));
  }

  /** The chosen place with all that it lies in. */
  get place(): AddressPlace | undefined {
    return this.#control.place();
  }
}

if (!customElements.get('psgc-address')) customElements.define('psgc-address', PsgcAddress);
