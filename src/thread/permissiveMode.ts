/** Words by which agents name modes that act without asking. A hint for colour, not for security: nothing depends on it. */
const permissive = /bypass|yolo|full[-_ ]?access|danger|unrestricted|skip[-_ ]?permission|autopilot|allow[-_ ]?all/i;

export function isPermissiveMode(mode: { readonly id: string; readonly name: string } | undefined): boolean {
  return mode !== undefined && (permissive.test(mode.id) || permissive.test(mode.name));
}
