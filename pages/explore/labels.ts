import type { Feature, FeatureCollection } from 'geojson';
import type { LevelGeoJson } from './map-style.ts';

/** The boundaries of a level, and the points of their labels. */
export function withLabels({ features }: FeatureCollection): LevelGeoJson {
  const labels = features.flatMap(({ properties, geometry }): Feature[] =>
    geometry && properties && properties.lon !== null
      ? [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [properties.lon, properties.lat] } }]
      : [],
  );
  return {
    areas: { type: 'FeatureCollection', features: features.filter(({ geometry }) => geometry) },
    labels: { type: 'FeatureCollection', features: labels },
  };
}
