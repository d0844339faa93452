export interface PanelDocumentOptions {
  /** Allows the one script; new for each document. */
  readonly nonce: string;
  /** The source that style, fonts and images come from, as a content security policy names it. */
  readonly source: string;
  /** The address of a file of dist. */
  readonly address: (name: string) => string;
  /** In an editor tab, which has the session's title and the colours of editors. */
  readonly inEditor?: boolean;
  /** VS Code's display language, such as `en` or `zh-cn`. */
  readonly language: string;
  /** The messages in that language by their English text; none in English. */
  readonly translation?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The panel's document. Nothing runs but our one script and what it imports (an import carries its importer's nonce),
 * nothing is loaded from anywhere but the extension, nothing is styled inline; images and sounds come as data. A frame
 * shows only what VS Code serves beside this document.
 * The script is a module, so that `import()` finds its files beside it and its errors are told in full.
 */
export function panelDocument({
  nonce,
  source,
  address,
  inEditor = false,
  language,
  translation,
}: PanelDocumentOptions): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
    // The document in which diagrams are drawn apart from the panel (webview/diagram/drawingFrame.ts).
    "frame-src 'self'",
    'media-src data:',
    // For the worker of Find: only a script can make one, and only ours runs.
    'worker-src blob:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${language.replace(/[^\w-]/g, '')}"${inEditor ? ' class="in-editor"' : ''}>
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('codicon.css')}">
<link rel="stylesheet" href="${address('webview.css')}">
<title>Parley</title>
</head>
<body>
<div id="root"></div>
${
  translation
    ? `<script type="application/json" id="translation">${
        // No text may end the element.
        JSON.stringify(translation).replaceAll('<', '\\u003c')
      }</script>
`
    : ''
}<script type="module" nonce="${nonce}" src="${address('webview.js')}"></script>
</body>
</html>`;
}
