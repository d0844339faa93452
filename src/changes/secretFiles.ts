/**
 * Files that often contain secrets, as globs of `guardMatcher`. Parley leaves them out of what it gathers by itself, in
 * addition to protected files.
 */
export const SECRET_FILES: readonly string[] = [
  '.env*',
  '*.env',
  '*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '.{netrc,pgpass,htpasswd,git-credentials,pypirc}',
  'credentials*',
  'secrets.*',
  '*.tfstate*',
  '{.aws,.ssh,.gnupg,.kube}/**',
];
