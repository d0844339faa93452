import { DemoAgent } from './agent';
import { Peer } from './peer';
import { paceFromEnvironment } from './turn';

/**
 * The built-in demo agent: a program of its own that speaks ACP v1 over stdin and stdout, needs no account and no
 * network, and changes nothing in a workspace without asking. It ends when its stdin ends.
 */
const agent = new DemoAgent(paceFromEnvironment(process.env));
const peer = new Peer(process.stdout, agent);
agent.connect(peer);

process.stdin.on('data', (bytes: Buffer) => peer.receive(bytes));
process.stdin.on('end', () => process.exit(0));
// The client is gone, so a failed write needs no report.
process.stdout.on('error', () => process.exit(0));
