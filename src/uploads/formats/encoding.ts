/**
 * The label of an encoding (https://encoding.spec.whatwg.org/#names-and-labels) by any name that programs give it, such as
 * `65001`, `ANSI 1252` and `8859-1` of `.cpg` files; undefined if there is none of that name.
 */
export function encodingNamed(text: string): string | undefined {
  // A `.cpg` file is read as windows-1252, in which a byte order mark of UTF-8 is these letters.
  const name = text.replace(/^ï»¿/, '').trim();
  const digits = /^(?:ansi |cp|windows-|ibm)?(125\d|874|65001|866)$/i.exec(name)?.[1];
  const iso = /^(?:iso[ -]?)?8859[-_ ]?(\d{1,2})$/i.exec(name)?.[1];
  const label = digits === '65001' ? 'utf-8' : digits ? codePage(digits) : iso ? `iso-8859-${iso}` : name;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function codePage(digits: string): string {
  return digits === '866' ? 'ibm866' : `windows-${digits}`;
}
