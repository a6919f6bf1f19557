import type { PsgcAddress } from '../../clients/typescript/src/address.ts';
import { byId } from '../shared/dom.ts';

/** Loads the address field when it is about to be seen, and shows what its form gets. */
export function startAddressField(): void {
  const form = byId('address-form', HTMLFormElement);
  const code = byId('address-code', HTMLElement);
  const hint = code.textContent;
  const lines = byId('address-lines', HTMLElement);
  lines.textContent = (lines.textContent ?? '').replace('https://geo.example', location.origin);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target }) => {
    const { place } = target as PsgcAddress;
    code.textContent = place ? `psgc_code=${place.code}` : hint;
  });
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void import('../../clients/typescript/src/address.ts');
    },
    { rootMargin: '400px' },
  );
  observer.observe(form);
}
