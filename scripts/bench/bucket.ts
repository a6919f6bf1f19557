import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Command {
  method: string;
  object: string;
  objects?: string[];
  uploadId?: string;
  partNumber?: number;
  range?: { offset?: string; length?: string };
}

/**
 * A stand-in for R2, as the Workers runtime speaks to it: objects in memory, put whole or in parts, read whole or in
 * ranges, deleted. Gives its address, host and port.
 */
export async function startBucket(): Promise<{ address: string; close(): void }> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer[]>();

  const put = (command: Command, value: Buffer): unknown => {
    const { method, object, uploadId = '', partNumber = 0 } = command;
    switch (method) {
      case 'put':
        objects.set(object, value);
        return recordOf(object, value);
      case 'createMultipartUpload': {
        const id = randomUUID();
        uploads.set(id, []);
        return { uploadId: id };
      }
      case 'uploadPart': {
        const parts = uploads.get(uploadId);
        if (!parts) throw new Error('No such upload');
        parts[partNumber - 1] = value;
        return { etag: String(partNumber) };
      }
      case 'completeMultipartUpload': {
        const whole = Buffer.concat(uploads.get(uploadId) ?? []);
        uploads.delete(uploadId);
        objects.set(object, whole);
        return recordOf(object, whole);
      }
      case 'abortMultipartUpload':
        uploads.delete(uploadId);
        return undefined;
      case 'delete':
        for (const key of command.objects ?? [object]) objects.delete(key);
        return undefined;
      default:
        throw new Error(`The stand-in for R2 can't ${method}`);
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      const { method, object, range } = JSON.parse(String(request.headers['cf-r2-request'])) as Command;
      const whole = objects.get(object);
      if (!whole) return refuse(response, 404, 10_007, 'No such object');
      const offset = Number(range?.offset ?? 0);
      const value = whole.subarray(offset, range?.length === undefined ? undefined : offset + Number(range.length));
      const record = { ...recordOf(object, whole), range: { offset: String(offset), length: String(value.length) } };
      return reply(response, record, method === 'get' ? value : undefined);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const size = Number(request.headers['cf-r2-metadata-size']);
    reply(response, put(JSON.parse(body.toString('utf8', 0, size)), body.subarray(size)));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => refuse(response, 400, 10_001, String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function recordOf(name: string, value: Buffer) {
  return {
    name,
    version: '1',
    size: String(value.length),
    etag: 'of-the-stand-in',
    uploaded: String(Date.now()),
    httpFields: {},
    customFields: [],
    checksums: {},
  };
}

function refuse(response: ServerResponse, status: number, v4code: number, message: string): void {
  response.writeHead(status, { 'cf-r2-error': JSON.stringify({ version: 0, v4code, message }) }).end();
}

function reply(response: ServerResponse, record: unknown, value?: Buffer): void {
  const json = Buffer.from(record === undefined ? '' : JSON.stringify(record));
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': json.length + (value?.length ?? 0),
    ...(record === undefined ? {} : { 'cf-r2-metadata-size': json.length }),
  });
  response.write(json);
  response.end(value);
}
