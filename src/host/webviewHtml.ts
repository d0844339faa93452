import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The panel's document. Nothing runs but our one script, nothing is loaded from anywhere but the extension, nothing is
 * styled inline; images and sounds come as data.
 */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const csp = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    'media-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('codicon.css')}">
<link rel="stylesheet" href="${file('webview.css')}">
<title>Parley</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${file('webview.js')}"></script>
</body>
</html>`;
}
