import { assertNever } from '../base/assert';
import type { ThreadAction } from './actions';
import {
  changeConfigOption,
  changeMode,
  changeModel,
  offer,
  replaceConfigOptions,
  requestChoice,
  type SessionOptions,
  settleChoice,
  withoutProblem,
} from './sessionOptions';

export type OptionAction = Extract<
  ThreadAction,
  {
    type:
      | 'options/replaced'
      | 'configOptions/replaced'
      | 'configOption/changed'
      | 'mode/changed'
      | 'model/changed'
      | 'option/requested'
      | 'option/settled'
      | 'optionProblem/dismissed';
  }
>;

/** The part of the reducer for a session's options. */
export function reduceOptions(options: SessionOptions, action: OptionAction): SessionOptions {
  switch (action.type) {
    case 'options/replaced':
      return offer(action.offered);
    case 'configOptions/replaced':
      return replaceConfigOptions(options, action.configOptions);
    case 'configOption/changed':
      return changeConfigOption(options, action.configId, action.value);
    case 'mode/changed':
      return changeMode(options, action.modeId);
    case 'model/changed':
      return changeModel(options, action.modelId);
    case 'option/requested':
      return requestChoice(options, action.key, action.value);
    case 'option/settled':
      return settleChoice(options, action.key, action.value, action.problem);
    case 'optionProblem/dismissed':
      return withoutProblem(options);
    default:
      return assertNever(action);
  }
}
