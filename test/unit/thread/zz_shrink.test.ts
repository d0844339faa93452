import xterm from '@xterm/headless';
import { it } from 'vitest';
import { TerminalText } from '../../../src/thread/terminalText';
import { Random } from '../../fakes/random';
const ESC='\x1b';
function reduce(data:string,cols:number,rows:number){let t='';const x=new TerminalText({cols,rows},l=>t+=l);x.write(data);return t+x.screenText();}
async function emulate(data: string, cols: number, rows: number) {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 100_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(data, resolve));
  const { normal } = terminal.buffer; let text='';
  for (let y = 0; y < normal.length; y++) { const w = normal.getLine(y + 1)?.isWrapped ?? false; text += normal.getLine(y)!.translateToString(true) + (w ? '' : '\n'); }
  return text;
}
const we=(t:string)=>t.replace(/\n+$/,'');
function pieces(random: Random) {
  const ps = ['a', 'bc', 'word ', 'a longer piece of text', '   ', '\r\n', '\r\n', '\r', '\n', '\b', '日','本'];
  const sequences = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'J', 'K', 'X', 'P', '@', 'L', 'M', 'd', 'm', '1J', '2J', '1K', '2K', '2;3H', 's', 'u', 'S', 'T'];
  return Array.from({ length: 1 + random.below(40) }, () => {
    if (random.below(3) > 0) return random.pick(ps);
    const s = random.pick(sequences);
    return `${ESC}[${/^[A-Z@d]$/.test(s) && !'JK'.includes(s) && random.below(2) ? 1 + random.below(5) : ''}${s}`;
  });
}
it('shrink', async () => {
  const random = new Random(2); let shown=0; let bad=0;
  for (let round=0; round<3000; round++){
    let p=pieces(random); const [cols,rows]=[4+random.below(20),2+random.below(6)];
    const fails=async(q:string[])=>we(reduce(q.join(''),cols,rows))!==we(await emulate(q.join(''),cols,rows));
    if(!(await fails(p))) continue;
    bad++;
    if(shown>=6) continue;
    for(let again=true;again;){again=false;for(let i=0;i<p.length;i++){const q=[...p.slice(0,i),...p.slice(i+1)];if(await fails(q)){p=q;again=true;break;}}}
    shown++;
    console.log(cols,rows,JSON.stringify(p),'\nxterm',JSON.stringify(we(await emulate(p.join(''),cols,rows))),'\nmine ',JSON.stringify(we(reduce(p.join(''),cols,rows))));
  }
  console.log('bad',bad);
},60000);
