/** The prompt never reached an agent. The reason is reported elsewhere. */
export class NotSent extends Error {
  constructor() {
    super('The prompt was not sent');
    this.name = 'NotSent';
  }
}
