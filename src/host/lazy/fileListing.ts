/** Lists a workspace's files, from the first `@` on. */
export { listFiles } from '../files/fileListing';
