/** Keys of saved comments and decisions; see `LineComments` and `Outcomes`. */
export const commentsKey = 'parley.review.comments';
export const outcomesKey = 'parley.review.outcomes';
