import type { SignInMethodView, SignInStep, SignInView } from '../protocol/signInView';

export type SignInAction =
  | { readonly type: 'methodTried'; readonly methodId: string; readonly at: number }
  | {
      readonly type: 'commandShown';
      readonly methodId: string;
      readonly command: string;
      readonly folder: string;
      readonly variables: readonly string[];
    }
  | { readonly type: 'commandRun'; readonly at: number }
  /** A failure leads back to the choice, which stays as it was (item 42). */
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'wentBack' };

/** The reason for the sign-in. */
export interface SignInStart {
  readonly requestId: string;
  readonly methods: readonly SignInMethodView[];
  readonly reason?: string | undefined;
  readonly problem?: string | undefined;
  readonly needed: boolean;
}

export function startSignIn({ requestId, methods, reason, problem, needed }: SignInStart): SignInView {
  return {
    requestId,
    methods,
    step: { type: 'choose' },
    ...(reason ? { reason } : {}),
    ...(problem ? { problem } : {}),
    needed,
  };
}

/** The card after an action. An action that does not fit the current step came too late and changes nothing. */
export function reduceSignIn(view: SignInView, action: SignInAction): SignInView {
  const { step } = view;
  switch (action.type) {
    case 'methodTried':
      return step.type === 'choose' && knows(view, action.methodId)
        ? at(view, { type: 'trying', methodId: action.methodId, since: action.at })
        : view;
    case 'commandShown': {
      const { methodId, command, folder, variables } = action;
      return step.type === 'choose' && knows(view, methodId)
        ? at(view, { type: 'confirm', methodId, command, folder, variables })
        : view;
    }
    case 'commandRun':
      return step.type === 'confirm' ? at(view, { type: 'terminal', methodId: step.methodId, since: action.at }) : view;
    case 'failed':
      return { ...view, step: { type: 'choose' }, problem: action.problem };
    case 'wentBack':
      return step.type === 'choose' ? view : at(view, { type: 'choose' });
  }
}

/** A new attempt clears the earlier problem. */
function at({ problem: _former, ...view }: SignInView, step: SignInStep): SignInView {
  return { ...view, step };
}

function knows({ methods }: SignInView, methodId: string): boolean {
  return methods.some(({ id }) => id === methodId);
}
