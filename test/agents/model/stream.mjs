/** Server-sent events to a client that may leave at any time. */
export class EventStream {
  /** @param {import('node:http').ServerResponse} response */
  constructor(response) {
    this.response = response;
    this.closed = false;
    response.on('close', () => {
      this.closed = true;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  }

  /** @param {{ type: string }} event */
  send(event) {
    if (!this.closed) this.response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** An event without a name. @param {unknown} data an object, or the words that end a stream */
  data(data) {
    if (!this.closed) this.response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  end() {
    this.response.end();
  }
}

let count = 0;

/** @param {string} prefix */
export function newId(prefix) {
  return `${prefix}_${Date.now().toString(36)}${(++count).toString(36).padStart(4, '0')}`;
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A text in pieces, as models send the arguments of tools. @param {string} text */
export function pieces(text) {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
