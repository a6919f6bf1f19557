import type { ServiceContext } from '../context.ts';
import { contentsOf } from '../datasets/dataset.ts';
import { findDataset, findDatasetFile } from '../datasets/repo/reads.ts';
import { featurePages } from '../features/listing.ts';
import { type Account, listDatasetIds, listKeyIds, listsOf, type Owner, pagesOf } from './repo/export.ts';

/**
 * Everything that the service has of an account, as the text of one JSON object. It is read while it is sent, so memory does not
 * grow with it. A dataset that is deleted meanwhile breaks it off.
 */
export async function* exportTexts(
  { db }: Pick<ServiceContext, 'db'>,
  { account }: { account: Account },
): AsyncGenerator<string> {
  const owner = { userId: account.id, email: account.email };
  const keys = await listKeyIds(db, owner);
  yield `{"account":${JSON.stringify(account)}`;
  for (const [name, lists] of Object.entries(listsOf(owner, keys))) yield* list(name, pagesOf(db, lists));
  yield* datasetTexts(db, owner);
  yield '}\n';
}

/** A member that is an array, of pages of it. */
async function* list(name: string, pages: AsyncGenerator<string>): AsyncGenerator<string> {
  let before = `,\n"${name}":[`;
  for await (const page of pages) {
    yield before + page;
    before = ',\n';
  }
  yield before === ',\n' ? ']' : `${before}]`;
}

/** The datasets with their features. Their files are named, and downloaded one by one. */
async function* datasetTexts(db: ServiceContext['db'], owner: Owner): AsyncGenerator<string> {
  let before = ',\n"datasets":[\n';
  for (let after: string | undefined, more = true; more; ) {
    const ids = await listDatasetIds(db, { owner, after });
    for (const id of ids) {
      const found = await findDataset(db, { caller: owner, id });
      const stored = await findDatasetFile(db, { caller: owner, id });
      if (!found) continue;
      const { features: _, ...record } = { features: undefined, ...found.dataset };
      const file = stored?.file
        ? { name: stored.file.name, bytes: stored.file.bytes, href: `/v1/datasets/${id}/file` }
        : null;
      yield `${before}${JSON.stringify({ ...record, file }).slice(0, -1)},"features":[`;
      yield* featurePages(db, { contents: [contentsOf(found)], form: 'source', separator: ',\n' });
      yield ']}';
      before = ',\n';
    }
    after = ids.at(-1);
    more = after !== undefined;
  }
  yield before === ',\n' ? ']' : `${before}]`;
}
