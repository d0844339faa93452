/** Names of modes that act without asking. A hint for colour, not for security: nothing is allowed by it. */
const permissive: readonly RegExp[] = [
  /bypass|yolo|full[-_ ]?access|danger|unrestricted|skip[-_ ]?permission|autopilot|allow[-_ ]?all/i,
  /accept[-_ ]?(?:all|edits)|auto[-_ ]?(?:accept|approv|edit|run|execut|allow)|approve[-_ ]?all/i,
  /never[-_ ]?asks?|no[-_ ]?(?:approval|confirmation)|turbo|full[-_ ]?auto|autonomous|hands[-_ ]?free/i,
  /unattended|unsafe|trust[-_ ]?(?:all|everything)|no[-_ ]?prompts?|always[-_ ]?(?:approve|allow|accept)/i,
  /allow[-_ ]?everything|^auto(?:matic)?(?:[-_ ]?mode)?(?:[-_ ]?\(?(?:low|medium|high|max)\)?)?$/i,
  /approvals?[:_ -]{1,2}never|permissions?[-_ ]off|全自动|自动(?:批准|执行|接受|运行|同意|允许)|(?:无需|不再|免)(?:确认|询问|批准|审批)/i,
];
/** Sentences with that meaning. */
const without: readonly RegExp[] = [
  /\bwithout (?:(?:any|further|user|your|human|manual) )?(?:ask|approv|confirm|prompt|permission)/i,
  /\bnever (?:asks?|prompts?)\b/i,
  /\bno (?:approvals?|confirmations?|permissions?) (?:is |are )?(?:needed|required|asked)/i,
  /\bwith no (?:\w+ )?(?:approval|confirmation|permission|prompt)/i,
  /\bauto(?:matically|[- ])? ?(?:accept|approv|allow|run|execut|appl)/i,
  /\b(?:accept|approv|allow|execut|appli)\w* automatically/i,
  /\ball (?:tools?|tool calls|actions|commands|operations|requests) (?:are |is )?(?:allowed|approved|accepted)/i,
  /\b(?:skip|bypass|ignore)\w* (?:all )?(?:permission|approval|confirmation)/i,
  /\b(?:permission|approval|confirmation)s? (?:\w+ )?(?:are|is) (?:skipped|bypassed)/i,
];
/** "Never edits without asking.", "Automatically approves safe commands.", "Auto-approval is off." */
const denied: readonly RegExp[] = [
  /\b(?:not|never|cannot|nothing|no)\b[^.;]*\bwithout\b|n[’']t\b[^.;]*\bwithout\b/i,
  /\b(?:not|never|nothing|cannot)\b[^.;]*\b(?:auto|skip|bypass|allowed|approved)/i,
  /\bauto[^.;]*\b(?:off|disabled|read[- ]only|safe|trusted|low[- ]risk|harmless)\b/i,
];

/** What a longer description says is not read. Characters. */
const maxDescription = 2_000;

/** True if a mode acts without asking, by its names or its description. */
export function isPermissiveMode(
  mode: { readonly id: string; readonly name: string; readonly description?: string | undefined } | undefined,
): boolean {
  if (mode === undefined) return false;
  return (
    matches(permissive, mode.id) ||
    matches(permissive, mode.name) ||
    (mode.description ?? '')
      .slice(0, maxDescription)
      .split(/[.;\n]/)
      .some((sentence) => matches(without, sentence) && !matches(denied, sentence))
  );
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}
