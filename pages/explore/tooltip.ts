/** Words beside the pointer over a map, which stay within the map. */
export function createTooltip(container: HTMLElement, element: HTMLElement) {
  return {
    show(words: string, { x, y }: { x: number; y: number }) {
      element.hidden = false;
      element.textContent = words;
      const { clientWidth, clientHeight } = container;
      const across = x > clientWidth / 2 ? 'calc(-100% - 12px)' : '14px';
      const down = y > clientHeight - element.offsetHeight - 20 ? 'calc(-100% - 8px)' : '14px';
      element.style.transform = `translate(${x}px, ${y}px) translate(${across}, ${down})`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
