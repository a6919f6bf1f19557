import { unavailable } from './api.ts';
import type * as Preparation from './preparation.ts';

/** Shows what the service is still preparing and the page lacks, if it prepares anything. What shows it is read when it is needed. */
export async function showPreparation(part?: Preparation.Part): Promise<void> {
  await (await import('./preparation.ts')).showPreparation(part);
}

unavailable.show = () => void showPreparation();
