/** The Worker's application. It is not imported by name, because its types need those of the Workers runtime. */
const APP = new URL('../../src/app.ts', import.meta.url).href;

interface App {
  request(path: string, init: object, bindings: object): Promise<Response>;
}

/** The least configuration with which the Worker starts. The document doesn't depend on it. */
const CONFIGURATION = {
  ENVIRONMENT: 'development',
  DATABASE_URL: 'postgresql://nobody:nothing@localhost/none',
  MASTER_TOKEN: 'not-a-token-of-anything',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
  TILE_SESSION_SECRET: 'not-a-secret-of-anything-that-runs',
};

/** Renders the OpenAPI document as the Worker serves it at `http://localhost`. */
export async function renderDocument(): Promise<object> {
  const { app } = (await import(APP)) as { app: App };
  const { log } = console;
  // The Worker's log line of the request is not needed here.
  console.log = () => {};
  try {
    const response = await app.request('/openapi.json', {}, CONFIGURATION);
    if (!response.ok) throw new Error(`The Worker answered ${response.status} for its document.`);
    return (await response.json()) as object;
  } finally {
    console.log = log;
  }
}
