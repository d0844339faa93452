/* What the panel and the program in its frame tell each other. */

/** Colours as `#rrggbb` and fonts of VS Code's theme: the frame does not see the panel's style. */
export interface DiagramTheme {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
  readonly background: string;
  readonly foreground: string;
  /** Lines and borders. */
  readonly line: string;
  readonly border: string;
  /** Surfaces: of nodes, of notes and groups, of what is marked. */
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

/** A drawing that is shown as an image only. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** What came of a request: a drawing, or the line with the error, 0 if that is not known. */
export type DrawAnswer = { readonly id: number } & (Drawing | { readonly line: number });
