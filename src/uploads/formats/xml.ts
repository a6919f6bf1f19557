import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { NewFeature } from '../../features/feature.ts';
import { Decoder } from './decode.ts';
import { FileFault, withLocation } from './format.ts';

const MAX_DEPTH = 64;
/**
 * Max characters between the begin or end of elements, unless a handler allows more. Texts, comments and attributes
 * stay in memory until then.
 */
const MAX_RUN = 2 * 1024 * 1024;
const MAX_ATTRIBUTES = 256;
/** Bytes parsed before their features are yielded. */
const SLICE = 64 * 1024;
/** Max size of an XML declaration, which names the encoding, bytes. */
const DECLARATION_BYTES = 256;

/**
 * Makes features, or other items, of the elements of a document. Names are without prefixes; the last name of `path` is the element's
 * own. Faults without a location get that of the element.
 */
export interface XmlHandler<Item = NewFeature> {
  /**
   * Called where an element begins.
   *
   * @returns max length of the text directly in the element, characters; 0 if the text is not needed
   */
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): number;
  /**
   * Called where an element ends.
   *
   * @param text directly in the element, without that of its children; empty if not needed
   * @returns the item completed by the element, if any
   */
  close(name: string, text: string, path: readonly string[]): Item | undefined;
}

/** Reads an XML document that arrives in chunks. It knows XML's own entities only, and refuses a document type. */
export class XmlReader<Item = NewFeature> {
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  /** The texts of the open elements. */
  readonly #texts: string[] = [];
  /** Max length of each of these texts, characters. */
  readonly #limits: number[] = [];
  #attributes = 0;
  /** Items that are complete and not yielded yet. */
  #done: Item[] = [];
  #decoder: Decoder | undefined;
  /** The first bytes, until there are enough to detect the encoding. */
  #head = new Uint8Array(0);
  /** Characters since an element began or ended. */
  #run = 0;

  constructor(handler: XmlHandler<Item>) {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new FileFault(`is no well-formed XML: ${error.message.replace(/^\d+:\d+: |\.$/g, '')}`, this.#location());
    });
    parser.on('doctype', () => {
      throw new FileFault('must not have a document type (<!DOCTYPE …>)', this.#location());
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES) {
        throw new FileFault(`has an element of more than ${MAX_ATTRIBUTES} attributes`, this.#location());
      }
    });
    parser.on('opentag', (tag: SaxesTagPlain) => {
      this.#run = 0;
      this.#attributes = 0;
      const name = localName(tag.name);
      this.#path.push(name);
      this.#texts.push('');
      if (this.#path.length > MAX_DEPTH) {
        throw new FileFault(`must not be nested deeper than ${MAX_DEPTH} levels`, this.#location());
      }
      this.#limits.push(withLocation(this.#location, () => handler.open(name, tag.attributes, this.#path)));
    });
    parser.on('closetag', () => {
      this.#run = 0;
      const text = this.#texts.pop() ?? '';
      this.#limits.pop();
      const feature = withLocation(this.#location, () => handler.close(this.#path.at(-1) ?? '', text, this.#path));
      if (feature) this.#done.push(feature);
      this.#path.pop();
    });
    const add = (text: string) => {
      const limit = this.#limits.at(-1) ?? 0;
      if (limit === 0) return;
      const whole = `${this.#texts.pop()}${text}`;
      if (whole.length > limit) throw this.#tooLong(limit);
      this.#texts.push(whole);
    };
    parser.on('text', add);
    parser.on('cdata', add);
  }

  *push(chunk: Uint8Array): Generator<Item> {
    for (let at = 0; at < chunk.length; at += SLICE) {
      this.#push(chunk.subarray(at, at + SLICE));
      yield* this.#done;
      this.#done = [];
    }
  }

  *end(): Generator<Item> {
    if (!this.#decoder) {
      if (this.#head.length === 0) throw new FileFault('is empty');
      this.#decoder = new Decoder(encodingOf(this.#head));
      this.#write(this.#decoder.push(this.#head));
    }
    this.#write(this.#decoder.end());
    this.#parser.close();
    yield* this.#done;
  }

  #push(chunk: Uint8Array): void {
    let bytes = chunk;
    if (!this.#decoder) {
      const head = new Uint8Array(this.#head.length + chunk.length);
      head.set(this.#head);
      head.set(chunk, this.#head.length);
      this.#head = head;
      if (head.length < DECLARATION_BYTES) return;
      bytes = head;
      this.#decoder = new Decoder(encodingOf(head));
    }
    this.#write(this.#decoder.push(bytes));
  }

  #write(text: string): void {
    this.#run += text.length;
    const limit = Math.max(MAX_RUN, this.#limits.at(-1) ?? 0);
    if (this.#run > limit + text.length) throw this.#tooLong(limit);
    this.#parser.write(text);
  }

  #tooLong(limit: number): FileFault {
    return new FileFault(`has a text of more than ${limit} characters`, this.#location());
  }

  readonly #location = () => `line ${this.#parser.line}, column ${this.#parser.column}`;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  const start = new TextDecoder('latin1').decode(head.subarray(0, DECLARATION_BYTES));
  return /^(?:ï»¿)?<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
}
