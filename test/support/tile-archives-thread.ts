import { parentPort } from 'node:worker_threads';
import { archiveOfMany, archiveOfRegions, type TileArchives } from './tile-archives.ts';

// The thread that beginTileArchives() starts. It needs the database for the second archive only.

const port = parentPort;
if (!port) throw new Error('tile-archives-thread.ts runs as a worker thread.');

const many = archiveOfMany();
port.once('message', async (postgresUrl: string) => {
  const archives: TileArchives = { 'regions.pmtiles': await archiveOfRegions(postgresUrl), 'many.pmtiles': await many };
  port.postMessage(archives);
  port.close();
});
