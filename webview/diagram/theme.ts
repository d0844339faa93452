import type { DiagramTheme } from './drawing';

type Colour = readonly [number, number, number];

const SERIES = ['ansiBlue', 'ansiGreen', 'ansiYellow', 'ansiMagenta', 'ansiCyan', 'ansiRed'];

/** The theme as a diagram needs it, read from VS Code's variables. */
export function readTheme(): DiagramTheme {
  const style = getComputedStyle(document.body);
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  /** The colour of a variable over another colour, whatever its notation. */
  const read = (name: string, under: Colour): Colour => {
    canvas.fillStyle = hex(under);
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = style.getPropertyValue(name).trim();
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return [red!, green!, blue!];
  };
  const background = read('--raised', read('--background', [255, 255, 255]));
  const foreground = read('--vscode-foreground', background);
  const isHighContrast =
    document.body.classList.contains('vscode-high-contrast') ||
    document.body.classList.contains('vscode-high-contrast-light');
  const shade = (amount: number) => hex(mix(background, foreground, amount));
  const series = SERIES.map((name) => read(`--vscode-terminal-${name}`, background));
  return {
    isDark: brightness(background) < brightness(foreground),
    isHighContrast,
    background: hex(background),
    foreground: hex(foreground),
    line: isHighContrast ? hex(foreground) : shade(0.6),
    border: isHighContrast ? hex(read('--vscode-contrastBorder', foreground)) : shade(0.4),
    surfaces: isHighContrast
      ? [hex(background), hex(background), hex(background)]
      : [shade(0.1), shade(0.04), hex(mix(background, series[0]!, 0.25))],
    series: series.map((colour) => hex(mix(background, colour, isHighContrast ? 0.65 : 0.5))),
    error: hex(read('--error', background)),
    fontFamily: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize) || 13,
  };
}

function mix(from: Colour, to: Colour, amount: number): Colour {
  return [0, 1, 2].map((i) => Math.round(from[i]! + (to[i]! - from[i]!) * amount)) as unknown as Colour;
}

function brightness([red, green, blue]: Colour): number {
  return red * 0.3 + green * 0.59 + blue * 0.11;
}

function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
