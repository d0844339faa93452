import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelDocument } from './panelDocument';

/** The panel's document for one webview, whose files are those of the extension's dist. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, inEditor: boolean): string {
  return panelDocument({
    nonce: randomBytes(16).toString('base64'),
    source: webview.cspSource,
    inEditor,
    language: vscode.env.language,
    translation: vscode.l10n.bundle,
    address: (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString(),
  });
}
