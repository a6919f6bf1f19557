/** An element with attributes and content. Pages style it as a part that is named like its tag. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries({ part: tag, ...attributes })) element.setAttribute(name, value);
  element.append(...content);
  return element;
}
