/** Words by which agents name modes that act without asking. A hint for colour, not for security: nothing is allowed by it. */
const permissive = /bypass|yolo|full[-_ ]?access|danger|unrestricted|skip[-_ ]?permission|autopilot|allow[-_ ]?all|accept[-_ ]?(?:all|edits)|auto[-_ ]?(?:accept|approv|edit|run|execut|allow)|approve[-_ ]?all|never[-_ ]?asks?|no[-_ ]?(?:approval|confirmation)|turbo|full[-_ ]?auto|autonomous|hands[-_ ]?free|unattended|unsafe|trust[-_ ]?(?:all|everything)|no[-_ ]?prompts?|always[-_ ]?(?:approve|allow|accept)|allow[-_ ]?everything|^auto(?:matic)?(?:[-_ ]?mode)?$/i;
/** Sentences that say so. */
const without = /\bwithout (?:(?:any|further|user|your|manual) )?(?:ask|approv|confirm|prompt|permission)|\bnever (?:asks?|prompts?)\b|\bno (?:approvals?|confirmations?|permissions?) (?:is |are )?(?:needed|required|asked)|\bauto(?:matically|[- ])? ?(?:accept|approv|allow|run|execut|appl)/i;
/** "Never edits without asking." */
const denied = /\b(?:not|never|cannot|nothing|no)\b[^.;]*\bwithout\b|n[’']t\b[^.;]*\bwithout\b|\b(?:not|never|cannot)\b[^.;]*\bauto/i;

/** Whether a mode acts without asking, by its names or by what the agent says of it. */
export function isPermissiveMode(mode: { readonly id: string; readonly name: string; readonly description?: string | undefined } | undefined): boolean {
  if (mode === undefined) return false;
  return permissive.test(mode.id) || permissive.test(mode.name) || (mode.description ?? '').split(/[.;\n]/).some((sentence) => without.test(sentence) && !denied.test(sentence));
}
