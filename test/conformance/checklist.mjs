import { authentication } from './items/authentication.mjs';
import { files } from './items/files.mjs';
import { framing } from './items/framing.mjs';
import { initialize } from './items/initialize.mjs';
import { lifecycle } from './items/lifecycle.mjs';
import { modes } from './items/modes.mjs';
import { permissions } from './items/permissions.mjs';
import { prompting } from './items/prompting.mjs';
import { sessions } from './items/sessions.mjs';
import { terminals } from './items/terminals.mjs';
import { updates } from './items/updates.mjs';
import { v2 } from './items/v2.mjs';

/** All rules, in the order of their numbers. @type {readonly import('./item.mjs').Item[]} */
export const checklist = [
  framing,
  initialize,
  authentication,
  sessions,
  prompting,
  updates,
  permissions,
  files,
  terminals,
  modes,
  lifecycle,
  v2,
]
  .flat()
  .sort((a, b) => a.number - b.number);
