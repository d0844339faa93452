/** What is said of a permission and decided by rules. With its parser of shells it is large, and loaded with the first question. */
export { assess } from '../../permission/assess';
export { decide } from '../../permission/rules';
export { suggestRules } from '../../permission/suggestRules';
