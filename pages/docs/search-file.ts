// The build writes the file, and the page reads it when somebody searches.

/** What the search of the reference finds. */
export interface Entry {
  /** Where it is: `/docs/regions#list_regions`. */
  readonly href: string;
  readonly title: string;
  /** What it is: the path of an operation, the status of an error, or the section of the guide. */
  readonly about: string;
  /** Of an operation. */
  readonly method?: string;
  /** Names by which programs know it, such as the id of an operation. */
  readonly names?: string;
  readonly text: string;
  /** Parameters and fields. */
  readonly parts?: readonly Part[];
  /** How much it counts against others, from 0 to 1. */
  readonly weight: number;
}

export interface Part {
  readonly name: string;
  readonly text: string;
  /** Where it is, if it has a place of its own. */
  readonly href?: string;
}

/** The words of people who don't know those of the reference. */
export interface EverydayWords {
  /** Words that say nothing by themselves. */
  readonly small: readonly string[];
  /** Words, each with that of the reference for it. */
  readonly same: Readonly<Record<string, string>>;
  /** What people ask for, and what answers it, best first. */
  readonly topics: readonly Topic[];
}

interface Topic {
  readonly say: readonly string[];
  /** Fragments of URLs of the reference, and paths of pages: `list_regions`, `rate-limits`, `/match`. */
  readonly see: readonly string[];
}

export interface SearchFile {
  readonly entries: readonly Entry[];
  readonly everyday: EverydayWords;
}

/** What names an entry in a topic: the fragment of its URL, or else the URL. */
export function keyOf({ href }: Pick<Entry, 'href'>): string {
  return /#(.*)$/.exec(href)?.[1] ?? href;
}
