// The dashboard hands a table to the page /match, which opens in the same tab. The browser keeps the file for the moment between
// the two: session storage has no room for it.

const DATABASE = 'handed-file';
const STORE = 'files';
const KEY = 'latest';

/** The fragment of /match that asks for the file. */
export const HANDED = '#handed';

/** A table whose rows somebody decides before it becomes a dataset. */
export interface HandedFile {
  readonly file: File;
  /** The name of the dataset. */
  readonly name: string;
  /** The sheet that was chosen. */
  readonly layer?: string | undefined;
  /** The dataset whose features the decided rows replace; undefined for a new one. */
  readonly datasetId?: string | undefined;
}

/** Keeps a file for /match. What was kept before is forgotten. */
export async function handFile(handed: HandedFile): Promise<void> {
  await inStore((store) => store.put(handed, KEY));
}

/** The file that was handed over, once; undefined if there is none. */
export async function takeFile(): Promise<HandedFile | undefined> {
  const handed = await inStore<HandedFile | undefined>((store) => store.get(KEY));
  await inStore((store) => store.delete(KEY));
  return handed;
}

async function inStore<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await resultOf(opening);
  try {
    return await resultOf(act(database.transaction(STORE, 'readwrite').objectStore(STORE)));
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}
