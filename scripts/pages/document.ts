/** The Worker's application. Its types are of the Workers runtime, so it is not imported by name. */
const APP = new URL('../../src/app.ts', import.meta.url).href;

interface App {
  request(path: string, init: object, bindings: object): Promise<Response>;
}

/** Enough for the Worker to start. Nothing of it is used to make a document. */
const CONFIGURATION = {
  ENVIRONMENT: 'development',
  DATABASE_URL: 'postgresql://nobody:nothing@localhost/none',
  MASTER_TOKEN: 'not-a-token-of-anything',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
  TILE_SESSION_SECRET: 'not-a-secret-of-anything-that-runs',
};

/** The OpenAPI document as the Worker serves it at `http://localhost`. */
export async function servedDocument(): Promise<object> {
  const { app } = (await import(APP)) as { app: App };
  const { log } = console;
  // The line that the Worker logs for the request is nobody's here.
  console.log = () => {};
  try {
    const response = await app.request('/openapi.json', {}, CONFIGURATION);
    if (!response.ok) throw new Error(`The Worker answered ${response.status} for its document.`);
    return (await response.json()) as object;
  } finally {
    console.log = log;
  }
}
