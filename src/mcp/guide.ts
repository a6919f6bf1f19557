interface Section {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The service's guide by headings, for agents that need more than the tools' descriptions. */
export function sectionsOf(guide: string): readonly Section[] {
  const [opening = '', ...sections] = guide.split(/^## /m);
  return [`About the service\n\n${opening}`, ...sections].map((section) => {
    const title = section.slice(0, section.indexOf('\n'));
    const name = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    return { uri: `psgc://guide/${name}`, name, title, text: `# ${section.trim()}\n` };
  });
}
