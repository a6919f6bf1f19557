import { type Links, MEDIA_TYPES, RELATIONS } from './links.ts';

/** The landing page, whose links lead to everything else. */
export function landingPage(links: Links): object {
  const json = MEDIA_TYPES.json;
  const conformance = { href: links.href('/conformance'), type: json, title: 'What it conforms to' };
  const definition = links.href('/api', { f: 'html' });
  return {
    title: 'Philippine Geographic Data Service',
    description: 'The administrative areas of the Philippines in every edition of the PSGC, and datasets of people.',
    links: [
      ...links.self(json),
      { rel: 'service-desc', href: links.href('/api'), type: MEDIA_TYPES.api, title: 'The definition of this API' },
      { rel: 'service-doc', href: definition, type: MEDIA_TYPES.html, title: 'The same as a page' },
      { rel: 'conformance', ...conformance },
      { rel: RELATIONS.conformance, ...conformance },
      { rel: 'data', href: links.href('/collections'), type: json, title: 'The collections' },
      { rel: RELATIONS.tilingSchemes, href: links.href('/tileMatrixSets'), type: json, title: 'The tile matrix sets' },
    ],
  };
}
