/** Where comments and decisions are kept; see `LineComments` and `Outcomes`. */
export const commentsKey = 'parley.review.comments';
export const outcomesKey = 'parley.review.outcomes';
