/** The name that an answer gives its file (RFC 6266, 8187); undefined where it names none. */
export function fileNameOf({ headers }: Response): string | undefined {
  const disposition = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(disposition)?.[1];
}
