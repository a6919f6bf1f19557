/**
 * Words beside the pointer over a map, which stay within the map. A finger has none: it covers them, and what it chooses says
 * the same.
 */
export function createTooltip(container: HTMLElement, element: HTMLElement) {
  let isTouched = false;
  // A browser sends movements of a mouse for a finger too, but none of a pointer that is one.
  for (const name of ['pointerdown', 'pointermove'] as const)
    container.addEventListener(
      name,
      ({ pointerType }) => {
        isTouched = pointerType === 'touch';
        if (isTouched) element.hidden = true;
      },
      { capture: true },
    );
  return {
    show(words: string, { x, y }: { x: number; y: number }) {
      if (isTouched) return;
      element.hidden = false;
      element.textContent = words;
      const { clientWidth, clientHeight } = container;
      const { offsetWidth: width, offsetHeight: height } = element;
      const across = x > clientWidth / 2 ? x - width - 12 : x + 14;
      const down = y > clientHeight - height - 20 ? y - height - 8 : y + 14;
      const left = Math.max(0, Math.min(across, clientWidth - width));
      element.style.transform = `translate(${left}px, ${Math.max(0, down)}px)`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
