import { cascadeField } from './cascade.ts';
import { el } from './dom.ts';
import { type Field, LEVELS } from './field.ts';
import { type AddressPlace, type Ask, askOf, placeOf } from './places.ts';
import { searchField } from './search.ts';
import { STYLE } from './style.ts';

/** The levels whose codes a form is sent. */
const SENT = [...Object.keys(LEVELS), 'submunicipality'];

/** What stands behind an element `<psgc-address>`. */
export interface Control {
  /** Makes the field as the attributes say. It is called for an attribute that has changed, and at first for none. */
  read(changed?: string): void;
  show(place: AddressPlace | undefined): void;
  stop(): void;
  place(): AddressPlace | undefined;
}

/** The place of a code until the service has named it. */
export function unnamed(code: string | null): AddressPlace | undefined {
  return code ? ({ code, level: '', name: '', label: code, ancestors: [] } as unknown as AddressPlace) : undefined;
}

export function controlOf(host: HTMLElement, internals: ElementInternals): Control {
  const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
  const sheet = new CSSStyleSheet();
  const status = el('div', { role: 'status' });
  const retry = el('button', { type: 'button' }, 'Try again');
  let field: Field | undefined;
  let ask: Ask;
  let place: AddressPlace | undefined;
  /** What is said if nothing is chosen. */
  let wish = 'Choose a place.';

  const of = (name: string) => host.getAttribute(name);
  const isRequired = () => host.hasAttribute('required');
  const controls = () => field?.controls ?? [];
  /** The control that waits for the person. */
  const next = () => controls().find((it) => !it.value && it.offsetParent) ?? controls()[0];
  const say = (text: string, look = '') => {
    status.textContent = text;
    status.className = look;
    retry.hidden = true;
  };
  const fail = (error: unknown, again: () => void) => {
    say((error as Error).message, 'error');
    retry.hidden = false;
    retry.onclick = () => {
      next()?.focus();
      say('');
      again();
    };
  };
  /** Keeps what is chosen, for the form. */
  const keep = (kept: AddressPlace | undefined, isUnfinished = false) => {
    place = kept;
    const areas = kept ? [...kept.ancestors, kept] : [];
    const data = new FormData();
    const add = (name: string, value = '') => data.set(`${of('name') || 'psgc'}_${name}`, value);
    for (const level of SENT) add(level, areas.find((it) => it.level === level)?.code);
    add('code', kept?.code);
    add('label', kept?.label);
    internals.setFormValue(data, JSON.stringify(kept));
    const valueMissing = !kept && isRequired();
    const badInput = !kept && isUnfinished;
    internals.setValidity({ valueMissing, badInput }, wish, next());
    for (const control of controls()) control.ariaInvalid = null;
  };
  const show = (shown: AddressPlace | undefined) => {
    keep(shown);
    field?.show(shown);
    if (field && shown && !shown.level) resolve(shown);
  };
  /** Finds the place of a code. If the service can't be reached, the code stays in the form. */
  const resolve = async (given: AddressPlace) => {
    const { code } = given;
    try {
      const named = await placeOf(ask, code);
      if (place !== given) return;
      show(named);
      if (!named) say(`No place has the code ${code}.`, 'error');
    } catch (error) {
      if (place === given) fail(error, () => resolve(given));
    }
  };
  const render = () => {
    field?.stop();
    ask = askOf(of('base-url') ?? '', of('api-key'));
    const isCascade = of('mode') === 'cascade';
    const asked = of('level') || 'barangay';
    const level = isCascade && !LEVELS[asked] ? 'barangay' : asked;
    wish = `Choose a ${LEVELS[level]?.toLowerCase() ?? 'place'} from the list.`;
    const label = of('label');
    field = (isCascade ? cascadeField : searchField)({
      ask,
      level,
      within: of('within'),
      placeholder: of('placeholder') ?? '',
      name: label ?? internals.labels[0]?.textContent ?? 'Place',
      wish,
      choose: (chosen, isUnfinished) => {
        const before = place?.code;
        keep(chosen, isUnfinished);
        if (before !== place?.code) host.dispatchEvent(new Event('change', { bubbles: true }));
      },
      submit: () => internals.form?.requestSubmit(),
      say,
      fail,
    });
    const { element } = field;
    element.disabled = host.matches(':disabled');
    for (const control of controls()) control.required = isRequired();
    if (label) element.prepend(el('legend', {}, label));
    root.replaceChildren(element, status, retry);
  };

  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  host.addEventListener('invalid', () => {
    say(wish, 'error');
    const control = next();
    if (control) control.ariaInvalid = 'true';
  });
  return {
    read(changed) {
      // Attributes that stand in the page are read once, when the element is in it.
      if (!changed === !!field) return;
      render();
      show(changed === 'value' || !(changed || place) ? unnamed(of('value')) : place);
    },
    show,
    stop: () => field?.stop(),
    place: () => place,
  };
}
