import { Marked } from 'marked';
import { codeBox, wrappable } from './code.ts';
import { Html, html } from './html.ts';

// The input is only descriptions from the source of this repository, so it doesn't have to be sanitised.

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang }) {
      const language = lang === 'json' ? 'JSON' : lang === 'js' ? 'JavaScript' : 'curl';
      return codeBox(text, language, 'Copy the example').text;
    },
    codespan({ text }) {
      return html`<code>${wrappable(text)}</code>`.text;
    },
    // Headings of the guide are all on the first page.
    link({ href, tokens }) {
      const target = href.startsWith('#') ? `/docs${href}` : href;
      return `<a href="${html`${target}`.text}">${this.parser.parseInline(tokens)}</a>`;
    },
    listitem(item) {
      const name = /^\*\*(.+?)\.?\*\*/.exec(item.text)?.[1];
      return html`<li${name && html` id="${slugOf(name)}"`}>${new Html(this.parser.parse(item.tokens))}</li>\n`.text;
    },
    // The wrapper lets a wide table scroll on a narrow page.
    table({ header, rows, align }) {
      const cells = (row: typeof header, tag: string) =>
        row
          .map(
            ({ tokens }, i) =>
              `<${tag}${align[i] ? ` class="${align[i]}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>`,
          )
          .join('');
      const body = rows.map((row) => `<tr${idOf(row.map(({ text }) => text))}>${cells(row, 'td')}</tr>`).join('');
      return `<div class="table"><table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** The attribute of a row about an error, by its code. */
function idOf([status = '', code = '']: readonly string[]): string {
  return /^\d{3}$/.test(status) ? ` id="error-${code.replaceAll('`', '')}"` : '';
}

/** Markdown with headings, tables and code. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

export function inlineMarkdown(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }));
}

/** The fragment of a URL that names a heading. */
export function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
