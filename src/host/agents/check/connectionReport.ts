import type { AgentFeatures } from '../../../acp/capabilities';
import type { ProtocolVersion } from '../../../acp/agentConnection';

/** What an agent said of itself when it was tried, line by line. Its texts are hostile. */
export function connectionReport({ info, prompt, loadSession, resume, list, mcp, authMethods }: AgentFeatures, protocol: ProtocolVersion): readonly { readonly label: string; readonly text: string }[] {
  const can = [
    [prompt.image, 'images'],
    [prompt.audio, 'audio'],
    [prompt.embeddedContext, 'attached files'],
    [loadSession || resume, 'earlier sessions'],
    [list, 'a list of sessions'],
    [mcp.http, 'MCP over HTTP'],
  ] as const;
  const words = can.flatMap(([isOffered, what]) => (isOffered ? [what] : []));
  return [
    { label: 'Agent', text: info ? [info.title ?? info.name, info.version].filter(Boolean).join(' ').slice(0, 200) : 'It did not give its name.' },
    { label: 'Protocol', text: `ACP version ${protocol}${protocol === 1 ? '' : ' (draft)'}` },
    { label: 'Supports', text: words.length === 0 ? 'Text only' : `Text, ${words.join(', ')}` },
    { label: 'Sign-in', text: authMethods.length === 0 ? 'None offered' : authMethods.map(({ name }) => name.slice(0, 80)).slice(0, 10).join(', ') },
  ];
}
