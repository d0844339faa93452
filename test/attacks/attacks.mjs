import { agents } from './items/agents.mjs';
import { editor } from './items/editor.mjs';
import { repositories } from './items/repositories.mjs';
import { requests } from './items/requests.mjs';
import { texts } from './items/texts.mjs';

/** All attacks, in the order of the report. @type {readonly import('./attack.mjs').Attack[]} */
export const attacks = [...repositories, ...requests, ...agents, ...editor, ...texts];
