/** The key of the file of a version, which nothing that a client says is part of. */
export function storageKeyOf(versionId: string): string {
  return `datasets/${versionId}`;
}
