/* /* The messages between the panel and the program in its frame. */

/** Colours as `#rrggbb` and fonts of VS Code's theme: the frame does not see the panel's style. */
export interface DiagramTheme {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
  readonly background: string;
  readonly foreground: string;
  /** Lines and borders. */
  readonly line: string;
  readonly border: string;
  /** Surfaces: of nodes, of notes and groups, of marked elements. */
  readonly surfaces: readonly [string, string, string];
  /** Colours that tell series, branches and sections apart. */
  readonly series: readonly string[];
  readonly error: string;
  readonly fontFamily: string;
  readonly fontSize: number;
}

/** A diagram to draw. */
export interface DrawRequest {
  readonly id: number;
  readonly code: string;
  readonly theme: DiagramTheme;
}

/** A drawing that is only shown as an image. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** The answer to a request: a drawing, or the line with the error, 0 if unknown. */
export type DrawAnswer = { readonly id: number } & (Drawing | { readonly line: number });
