/* What finds programs outside the workspace, loaded with the first program that is looked for. */
export { findProgram } from '../findProgram';
export { foldersToAvoid, trustedEnvironment } from '../trustedFolders';
