import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import { NotSent } from '../../src/thread/sessionLink';
import { apiKey, offering, SignInDesk } from './signInDesk';
import { waitUntil } from './waitUntil';

describe('a key', () => {
  const secret = 'sk-hush-1';

  test('51: is asked for once, kept in the secret storage, used again, and in no log and no view', async () => {
    const desk = await SignInDesk.open({ apiKey: secret, ...offering(apiKey) });
    desk.key = secret;
    const seen: unknown[] = [];
    desk.onDidChange(() => seen.push(desk.view));
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('key');
    await opened;
    expect(desk.link.sent('authenticate')).toMatchObject([
      { params: { methodId: 'key', _meta: { 'api-key': secret } } },
    ]);
    expect([...desk.secrets.values]).toEqual([['parley.apiKeys.Fake', JSON.stringify([['key', secret]])]]);
    expect(desk.askedForKey).toEqual(['API key']);
    // Another process: the key that is there is tried by itself, once.
    await desk.request(await desk['restart'](), new AcpError(-32000, 'Authentication required'));
    expect(desk.askedForKey).toEqual(['API key']);
    expect(desk.link.sent('authenticate')).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain(secret);
    expect(desk.log).not.toContain(secret);
  });

  test('51: that an agent repeats in its refusal is neither shown nor logged, is not kept, and is asked for again', async () => {
    const desk = await SignInDesk.open({ apiKey: 'another', ...offering(apiKey) });
    desk.key = secret;
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('key');
    expect(desk.view!.problem).toBe('Sign-in with “API key” failed. The key ••• is not valid');
    expect(desk.log).not.toContain(secret);
    expect(desk.secrets.values.size).toBe(0);
    desk.key = 'another';
    await desk.choosing('key');
    await opened;
    expect(desk.askedForKey).toEqual(['API key', 'API key']);
  });

  test('51: that is accepted and then of no use is forgotten', async () => {
    const desk = await SignInDesk.open({ stubborn: 1, ...offering(apiKey) });
    desk.key = secret;
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('key');
    await desk.problem();
    await waitUntil('the key is forgotten', () => desk.secrets.values.size === 0);
    await desk.choosing('key');
    await opened;
    expect(desk.askedForKey).toHaveLength(2);
  });

  test('51: that was not given changes nothing', async () => {
    const desk = await SignInDesk.open(offering(apiKey));
    const opened = desk.open();
    await desk.at('choose');
    await desk.choosing('key');
    expect(desk.view!.step).toEqual({ type: 'choose' });
    expect(desk.methods()).not.toContain('authenticate');
    desk.acts('dismiss');
    await expect(opened).rejects.toBeInstanceOf(NotSent);
  });
});
