import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Decoder } from './decode.ts';
import { FileFault } from './format.ts';

const MAX_DEPTH = 64;
/** How much may come without an element beginning or ending: texts and attributes are in memory, characters. */
const MAX_RUN = 8 * 1024 * 1024;
/** The XML declaration, which names the encoding, is within these bytes if there is one. */
const DECLARATION_BYTES = 256;

/** What is told of a document while it is read. Names are without prefixes. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  /** @param text what stood directly in the element, without the texts of elements in it */
  close(name: string, text: string, path: readonly string[]): void;
}

/** Reads an XML document that arrives in chunks. There are no entities but XML's own: a document type is refused. */
export class XmlReader {
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  readonly #texts: string[] = [];
  #decoder: Decoder | undefined;
  #head = new Uint8Array(0);
  #run = 0;

  constructor(handler: XmlHandler) {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new FileFault(`is no well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`, this.#place());
    });
    parser.on('doctype', () => {
      throw new FileFault('must not have a document type (<!DOCTYPE …>)', this.#place());
    });
    parser.on('opentag', (tag: SaxesTagPlain) => {
      this.#run = 0;
      const name = localName(tag.name);
      this.#path.push(name);
      this.#texts.push('');
      if (this.#path.length > MAX_DEPTH) {
        throw new FileFault(`must not be nested deeper than ${MAX_DEPTH} levels`, this.#place());
      }
      handler.open(name, tag.attributes, this.#path);
    });
    parser.on('closetag', () => {
      this.#run = 0;
      const text = this.#texts.pop() ?? '';
      handler.close(this.#path.at(-1) ?? '', text, this.#path);
      this.#path.pop();
    });
    const add = (text: string) => {
      if (this.#texts.length > 0) this.#texts[this.#texts.length - 1] += text;
    };
    parser.on('text', add);
    parser.on('cdata', add);
  }

  push(chunk: Uint8Array): void {
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

  end(): void {
    if (!this.#decoder) {
      if (this.#head.length === 0) throw new FileFault('is empty');
      this.#decoder = new Decoder(encodingOf(this.#head));
      this.#write(this.#decoder.push(this.#head));
    }
    this.#write(this.#decoder.end());
    this.#parser.close();
  }

  #write(text: string): void {
    this.#run += text.length;
    if (this.#run > MAX_RUN + text.length) {
      throw new FileFault(`has a text of more than ${MAX_RUN} characters`, this.#place());
    }
    this.#parser.write(text);
  }

  #place(): string {
    return `line ${this.#parser.line}, column ${this.#parser.column}`;
  }
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
