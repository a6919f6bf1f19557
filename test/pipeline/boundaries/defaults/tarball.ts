import { gzipSync } from 'node:zlib';

/** A tar archive of regular files ("ustar"), packed with gzip, as npm makes them. */
export function tarball(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => [header(name, content), padded(content)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function header(name: string, content: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
