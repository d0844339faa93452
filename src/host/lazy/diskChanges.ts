/** What agents write to disk. With what it reads of git and of `.gitignore` it is large, and loaded with the first prompt. */
export { DiskChanges } from '../disk/diskChanges';
