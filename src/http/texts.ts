/**
 * A text of the service that follows from its source alone. The build of the pages puts them among the static assets, where
 * only the Worker reads them.
 *
 * @param assets the binding that serves the pages
 * @param name of its file
 * @param url of the request, whose origin stands in the text
 */
export async function readText(assets: Fetcher, name: string, url: string): Promise<string> {
  const asset = await assets.fetch(new URL(`/texts/${name}`, url));
  if (!asset.ok) throw new Error(`The assets answered ${asset.status} for ${name}.`);
  return (await asset.text()).replaceAll('{origin}', new URL(url).origin);
}
