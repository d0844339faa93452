/** Names of variables that hold secrets, as far as a name tells. */
const secretName = /(?:TOKEN|SECRET|PASSWD|PASSWORD|KEY|CREDENTIALS?|_PAT)$/i;

/** The values of variables that sound secret. Short ones are left: they would be found in many words. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && value.length >= 6 && secretName.test(name) ? [value] : []));
}
