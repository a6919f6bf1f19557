import type { Feature, FeatureCollection, Position } from 'geojson';
import type { GeoJSONSource, Map as GlMap, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { Palette } from './map-colors.ts';
import { ringOf, type SketchOptions } from './sketch.ts';

/** Name of the map's source with what is drawn. */
export const SKETCH = 'sketch';

/** A corner that is no farther from the last or the first one ends a polygon, pixels. */
const SAME_PLACE = 10;

/** A press that moves no farther is a click, pixels. The map has the same. A finger is never quite still. */
const CLICK = 3;
const TAP = 12;

/** The decimals of degrees of a corner, which are a metre on the ground. */
const DECIMALS = 5;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Current extends SketchOptions {
  readonly corners: Position[];
  /** Whether its first corner is where it is dragged from. */
  isDragged: boolean;
}

/**
 * Draws a box or a polygon corner by corner, each where a person clicks or, with the keyboard, where the cross is. A box is
 * also drawn by dragging from one corner to the other.
 *
 * @param restyle draws the map with what `shape` gives
 */
export function createSketcher(map: GlMap, restyle: () => void) {
  let current: Current | undefined;
  /** Where a box is dragged from, and from how far away it is. */
  let pressed: (Point & { readonly beyond: number }) | undefined;
  let shape: FeatureCollection | undefined;

  const at = (point: Point): Position => {
    const { lng, lat } = map.unproject([point.x, point.y]);
    return [Number(lng.toFixed(DECIMALS)), Number(lat.toFixed(DECIMALS))];
  };
  const isAt = (corner: Position | undefined, { x, y }: Point) => {
    if (!corner) return false;
    const point = map.project([corner[0] ?? 0, corner[1] ?? 0]);
    return Math.hypot(point.x - x, point.y - y) <= SAME_PLACE;
  };
  const ends = (point: Point) =>
    current?.kind === 'polygon' &&
    current.corners.length >= 3 &&
    (isAt(current.corners[0], point) || isAt(current.corners.at(-1), point));

  /** Draws the corners, and the shape that they have with one more. */
  const draw = ({ kind, corners }: Pick<Current, 'kind' | 'corners'>, next?: Position) => {
    const all = next ? [...corners, next] : corners;
    const ring = ringOf(kind, all);
    const features: Feature[] = corners.map((coordinates) => featureOf({ type: 'Point', coordinates }));
    if (ring) features.push(featureOf({ type: 'Polygon', coordinates: [ring] }));
    else if (all.length > 1) features.push(featureOf({ type: 'LineString', coordinates: all }));
    shape = { type: 'FeatureCollection', features };
    // A whole new style for each movement of the pointer would be slow.
    const source = map.getSource<GeoJSONSource>(SKETCH);
    if (source) source.setData(shape);
    else restyle();
  };
  const hint = () => {
    if (!current) return;
    const { kind, corners, onHint } = current;
    const how = 'Click on the map or, with the keyboard, move it under the cross and press Enter.';
    if (kind === 'box')
      onHint(corners.length === 0 ? `Set a corner. Drag across the map. Or: ${how}` : 'Set the corner across from it.');
    else if (corners.length < 3) onHint(corners.length === 0 ? `Set the first corner. ${how}` : 'Set the next corner.');
    else onHint('Set the next corner, or the last one again to end.');
  };
  const finish = (ring: Position[] | undefined) => {
    const ended = current;
    current = undefined;
    pressed = undefined;
    map.doubleClickZoom.enable();
    map.dragPan.enable();
    map.getCanvas().style.cursor = '';
    if (!ring) clear();
    else if (ended) draw({ kind: 'polygon', corners: ring.slice(0, -1) });
    ended?.onEnd(ring && { type: 'Polygon', coordinates: [ring] });
  };
  const clear = () => {
    if (current) return finish(undefined);
    if (!shape) return;
    shape = undefined;
    restyle();
  };

  const isDragged = ({ x, y }: Point) => pressed && Math.hypot(x - pressed.x, y - pressed.y) > pressed.beyond;
  const press = ({ x, y }: Point, beyond: number) => {
    pressed = current?.kind === 'box' ? { x, y, beyond } : undefined;
  };
  /** Takes back what is dragged. */
  const undrag = () => {
    const isOfDrag = pressed !== undefined && current?.isDragged;
    pressed = undefined;
    if (!current || !isOfDrag) return;
    current.isDragged = false;
    current.corners.splice(0);
    draw(current);
    hint();
  };
  /** Draws the box from where the pointer was pressed. */
  const drag = (point: Point) => {
    if (!current || !pressed || !isDragged(point)) return;
    current.isDragged = true;
    current.corners.splice(0, Infinity, at(pressed));
    draw(current, at(point));
  };
  const release = (point: Point) => {
    const ring = current && pressed && isDragged(point) ? ringOf('box', [at(pressed), at(point)]) : undefined;
    pressed = undefined;
    if (ring) finish(ring);
  };

  map.on('mousedown', ({ point }) => press(point, CLICK));
  map.on('mousemove', ({ point, originalEvent }) => {
    if (!current) return;
    map.getCanvas().style.cursor = 'crosshair';
    // It was released outside of the map.
    if (pressed && originalEvent.buttons === 0) return release(point);
    if (isDragged(point)) drag(point);
    else if (current.corners.length > 0) draw(current, at(point));
  });
  map.on('mouseup', ({ point }) => release(point));
  // Two fingers move and zoom the map, also where one of them has dragged before the other came.
  map.on('touchstart', ({ point, points }) => (points.length === 1 ? press(point, TAP) : undrag()));
  map.on('touchcancel', undrag);
  map.on('touchmove', ({ point }) => drag(point));
  map.on('touchend', ({ point }) => release(point));
  map.getCanvas().addEventListener('keydown', (event) => {
    if (!current) return;
    if (event.key === 'Escape') finish(undefined);
    else if (event.key === 'Backspace') {
      event.preventDefault();
      current.corners.pop();
      draw(current);
      hint();
    }
  });

  return {
    start(options: SketchOptions) {
      clear();
      current = { ...options, corners: [], isDragged: false };
      draw(current);
      // The second click of a double click is the end of a polygon.
      map.doubleClickZoom.disable();
      if (options.kind === 'box') map.dragPan.disable();
      map.getCanvas().focus();
      hint();
    },
    /** Takes a point as a corner. @returns whether something is drawn, so that the point chooses nothing */
    take(point: Point): boolean {
      if (!current) return false;
      const { kind, corners } = current;
      if (ends(point)) {
        finish(ringOf(kind, corners));
        return true;
      }
      // A corner in the same place again adds nothing.
      // A second corner that makes no box is set anew.
      if (kind === 'box') corners.splice(1);
      if (!isAt(corners.at(-1), point)) corners.push(at(point));
      draw(current);
      const box = kind === 'box' ? ringOf(kind, corners) : undefined;
      if (box) finish(box);
      else hint();
      return true;
    },
    /** What a point would be; undefined while nothing is drawn. */
    nameAt(point: Point): string | undefined {
      if (!current) return undefined;
      return ends(point) ? 'The end' : `Corner ${current.corners.length + 1}`;
    },
    isDrawing: () => current !== undefined,
    /** Shows a ring in place of what is drawn. */
    showRing(ring: Position[]): void {
      clear();
      shape = { type: 'FeatureCollection', features: [featureOf({ type: 'Polygon', coordinates: [ring] })] };
    },
    shape: () => shape,
    /** Takes away what is drawn. */
    clear,
  };
}

function featureOf(geometry: Feature['geometry']): Feature {
  return { type: 'Feature', properties: {}, geometry };
}

export function sketchSource(shape: FeatureCollection): SourceSpecification {
  return { type: 'geojson', data: shape };
}

export function sketchLayers({ chosen, chosenHalo }: Palette): LayerSpecification[] {
  const line = (id: string, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: SKETCH,
    layout: { 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  });
  return [
    {
      id: 'sketch-fill',
      type: 'fill',
      source: SKETCH,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': chosen, 'fill-opacity': 0.15 },
    },
    line('sketch-halo', chosenHalo, 4),
    line('sketch-line', chosen, 2),
    {
      id: 'sketch-corner',
      type: 'circle',
      source: SKETCH,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': chosenHalo,
        'circle-radius': 4,
        'circle-stroke-color': chosen,
        'circle-stroke-width': 2,
      },
    },
  ];
}
