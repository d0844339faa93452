import { DemoAgent } from './agent';
import { Peer } from './peer';
import { paceFromEnvironment } from './turn';

/**
 * The built-in demo agent: a program of its own that speaks ACP v1 over stdin and stdout, needs no account and no
 * network, and does nothing to a workspace that it has not asked for. It ends when its stdin ends.
 */
const agent = new DemoAgent(paceFromEnvironment(process.env));
const peer = new Peer(process.stdout, agent);
agent.connect(peer);

process.stdin.on('data', (bytes: Buffer) => peer.receive(bytes));
process.stdin.on('end', () => process.exit(0));
// The client went away while we wrote: nobody is left to tell.
process.stdout.on('error', () => process.exit(0));
