/**
 * The texts of the page that can hardly be told from what is behind them, each with its contrast. Runs in the page.
 * @param least contrast as WCAG 2.2 counts it, 1 to 21
 */
export function faintTexts(least: number): string[] {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, Color>();
  const colorOf = (text: string): Color => {
    let color = known.get(text);
    if (!color) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, (color = [red, green, blue, alpha / 255]));
    }
    return color;
  };
  const over = ([r, g, b, a]: Color, [red, green, blue]: Color): Color => [
    r * a + red * (1 - a),
    g * a + green * (1 - a),
    b * a + blue * (1 - a),
    1,
  ];
  const behind = (element: Element | null): Color => {
    if (!element) return [255, 255, 255, 1];
    const color = colorOf(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color : over(color, behind(element.parentElement));
  };
  const light = (color: Color) => {
    const [red = 0, green = 0, blue = 0] = color
      .slice(0, 3)
      .map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isLeftOut = (element: Element) =>
    element.closest('[disabled], [aria-disabled=true], .visually-hidden, .patch-line.gap, svg, math') !== null ||
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const found = new Map<string, string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    const text = (node.textContent ?? '').trim();
    if (text === '' || isLeftOut(element)) continue;
    const back = behind(element);
    const [one, other] = [light(over(colorOf(getComputedStyle(element).color), back)), light(back)];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < least)
      found.set(
        text,
        `${contrast.toFixed(1)}: <${element.localName} class="${element.className}"> “${text.slice(0, 60)}”`,
      );
  }
  return [...found.values()];
}
