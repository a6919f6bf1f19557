import { env } from 'cloudflare:workers';

/** The bucket of the tested Worker. */
export const bucket = (env as { FILES: R2Bucket }).FILES;

/** Whether a file is stored under a key. */
export async function isStored(key: string): Promise<boolean> {
  return (await bucket.head(key)) !== null;
}
