/** The answer to every request of an agent that is only to answer. */
export const answerRefusal = 'This session only answers in words. Nothing can be read, written or run.';
