import { saveFile } from '../../shared/dom.ts';
import type { Measure } from './markup.ts';

/** Measures texts as the browser writes them. */
export function measureTexts(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  return (text, size) => {
    if (!context) return text.length * size * 0.6;
    context.font = `${size}px system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif`;
    return context.measureText(text).width;
  };
}

interface Saved {
  readonly svg: string;
  readonly format: 'svg' | 'png';
  readonly name: string;
  /** How many pixels of a PNG stand for a unit of the sheet. */
  readonly pixels: number;
}

/** Saves a picture as it is, or as a PNG. */
export async function savePicture({ svg, format, name, pixels }: Saved): Promise<void> {
  const content = format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg, pixels);
  saveFile(content, `${fileNameOf(name)}.${format}`);
}

/** @throws Error if the browser can't draw so large a picture */
async function pngOf(svg: string, pixels: number): Promise<Blob> {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.naturalWidth * pixels);
  canvas.height = Math.round(image.naturalHeight * pixels);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser can’t draw a picture of this size.');
  return blob;
}

/** A picture as the URL of an image. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** A text as the name of a file, without what systems don't allow in one. */
function fileNameOf(text: string): string {
  const allowed = text.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, ' ').trim();
  return allowed.slice(0, 80) || 'map';
}
