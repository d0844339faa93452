/** The prompt never reached an agent; why is told elsewhere. */
export class NotSent extends Error {
  constructor() {
    super('The prompt was not sent');
    this.name = 'NotSent';
  }
}
