import type { AppContext } from '../context.ts';

/** A link of OGC API. */
export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
  readonly templated?: true;
}

export const MEDIA_TYPES = {
  json: 'application/json',
  html: 'text/html',
  geojson: 'application/geo+json',
  schema: 'application/schema+json',
  api: 'application/vnd.oai.openapi+json;version=3.0',
  tile: 'application/vnd.mapbox-vector-tile',
} as const;

/** The relations that OGC has registered, by their short names. */
export const RELATIONS = {
  conformance: 'http://www.opengis.net/def/rel/ogc/1.0/conformance',
  queryables: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
  schema: 'http://www.opengis.net/def/rel/ogc/1.0/schema',
  tilesets: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector',
  tilingSchemes: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
  tilingScheme: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
} as const;

/** Writes the URLs of one answer. A session in the URL stays in all of them, for tools that send no headers. */
export class Links {
  readonly #url: URL;
  readonly #session: string | undefined;

  constructor(c: AppContext) {
    this.#url = new URL(c.req.url);
    this.#session = c.req.query('session');
  }

  /** @param path from `/ogc` on */
  href(path: string, parameters: Readonly<Record<string, string>> = {}): string {
    const url = new URL(`/ogc${path}`, this.#url);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    if (this.#session !== undefined) url.searchParams.set('session', this.#session);
    // Braces are those of a template.
    return url.href.replaceAll('%7B', '{').replaceAll('%7D', '}');
  }

  /** Another URL of the service. */
  other(path: string): string {
    return new URL(path, this.#url).href;
  }

  /** The requested URL with some parameters changed; null removes one. */
  changed(parameters: Readonly<Record<string, string | null>>): string {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    return url.href;
  }

  /** The links of an answer to itself and to its page. */
  self(type: string): Link[] {
    return [
      { rel: 'self', href: this.#url.href, type, title: 'This document' },
      { rel: 'alternate', href: this.changed({ f: 'html' }), type: MEDIA_TYPES.html, title: 'This document as a page' },
    ];
  }
}
