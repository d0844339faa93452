import { describe, expect, it } from 'vitest';
import type { GalleryAgentView } from '../../src/protocol/galleryView';
import { agent, agents, form, gallery, galleryScenes, icons } from './galleryScenes.mjs';
import { PanelPage, useHarness } from './panelPage';
import { threadView } from './views.mjs';

useHarness();

const rows = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Agents' }).getByRole('listitem');
const row = (panel: PanelPage, name: string) => rows(panel).filter({ hasText: name });
const focused = (panel: PanelPage) =>
  panel.page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
  );
const open = async (list: readonly GalleryAgentView[] = agents, width = 420) => {
  const panel = await PanelPage.open({ width });
  await panel.show(threadView([], { gallery: gallery({ agents: list }), galleryIcons: icons }));
  await rows(panel).first().waitFor();
  return panel;
};

describe('the gallery of agents', () => {
  it('stands in place of the thread, takes the focus, and says where agents come from', async () => {
    const panel = await open();
    await expect.poll(() => focused(panel)).toBe('Search agents');
    expect(await rows(panel).count()).toBe(agents.length);
    const lists = panel.page.getByRole('group', { name: 'Agents' }).getByRole('list');
    expect(
      await lists.evaluateAll((all) =>
        all.map((list) => `${list.getAttribute('aria-label')}: ${list.querySelectorAll('li').length}`),
      ),
    ).toEqual(['Built in: 5', 'Added by you: 1', 'From the registry: 5']);
    expect(await lists.first().getByRole('listitem').last().innerText()).toMatch(/Parley Demo/);
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => panel.posted('gallery/close')).toEqual([{ type: 'gallery/close' }]);
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['gallery', 'galleryIcons'] });
    await expect.poll(() => panel.page.getByRole('group', { name: 'Agents' }).count()).toBe(0);
    await expect.poll(() => focused(panel)).toBe('Message');
  });

  it.each([
    ['Claude Code', 'Use Claude Code', /In use/],
    ['Codex', 'Use Codex', /Update to 2\.7\.1/],
    ['Gemini CLI', 'Sign In Gemini CLI', /Needs sign-in/],
    ['Qwen Code', 'Install Qwen Code', /Needs Node\.js$/],
    ['My own agent', 'Use My own agent', /\/opt\/mine\/bin\/agent/],
    ['Acorn', 'Install Acorn', /many providers$/],
    ['Birch', 'Cancel Birch', /12\.3 of 40\.1 MB/],
    ['Cedar', 'Try Again Cedar', /can’t reach downloads\.example/],
    ['Dogwood', undefined, /Not available for this system/],
    ['Elm', 'Install Elm', /Written in Python$/],
  ] as const)('%s has one button and says its state', async (name, button, words) => {
    const panel = await open();
    const found = row(panel, name);
    expect(await found.innerText()).toMatch(words);
    expect(
      await found
        .locator('.agent-actions .secondary')
        .evaluateAll((all) => all.map((e) => e.getAttribute('aria-label'))),
    ).toEqual(button === undefined ? [] : [button]);
  });

  it('wraps what an agent is, and says once what this machine lacks', async () => {
    const panel = await open([...agents, agent('pine', { needs: 'node', isMissing: true })], 285);
    const about = row(panel, 'Acorn').locator('.about');
    expect(
      await about.evaluate((e) => [
        e.scrollWidth <= e.clientWidth,
        e.scrollHeight <= e.clientHeight + 1,
        e.clientHeight > 30,
      ]),
    ).toEqual([true, true, true]);
    expect(await panel.page.getByText('Node.js is not installed.').count()).toBe(1);
    expect(await panel.page.getByText('Uses Node.js').count()).toBe(0);
  });

  it('is searched, and walked with the arrows', async () => {
    const panel = await open();
    await panel.page.keyboard.type('small agent');
    await expect.poll(() => rows(panel).count()).toBe(1);
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(() => panel.posted('gallery/act'))
      .toEqual([{ type: 'gallery/act', key: 'acorn', act: 'install' }]);
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.type(' nobody');
    await panel.page.getByText('No agent matches “small agent nobody”.').waitFor();
  });

  it('goes on from where the keyboard was, through the download', async () => {
    const one = (fields: Partial<GalleryAgentView>) => ({
      op: 'panel/set' as const,
      fields: { gallery: gallery({ agents: [agent('a', fields), agent('b')] }) },
    });
    const panel = await open([agent('a'), agent('b')]);
    await panel.page.getByRole('button', { name: 'Install Agent a' }).focus();
    await panel.patch(one({ state: 'installing', progress: 'Downloading', button: 'cancel' }));
    await expect.poll(() => focused(panel)).toBe('Cancel Agent a');
    await panel.patch(one({ state: 'ready', button: 'use' }));
    await expect.poll(() => focused(panel)).toBe('Use Agent a');
  });

  it('takes no focus from a user who types elsewhere meanwhile', async () => {
    const one = (fields: Partial<GalleryAgentView>) => ({
      op: 'panel/set' as const,
      fields: { gallery: gallery({ agents: [agent('a', fields), agent('b')] }) },
    });
    const panel = await open([agent('a'), agent('b')]);
    await panel.page.getByRole('button', { name: 'Install Agent a' }).focus();
    const taken = await panel.leave();
    await panel.patch(one({ state: 'installing', progress: 'Downloading', button: 'cancel' }));
    await panel.page.getByRole('button', { name: 'Cancel Agent a' }).waitFor();
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['gallery', 'galleryIcons'] });
    await rows(panel).first().waitFor({ state: 'detached' });
    await panel.frames();
    expect(await taken()).toBe(0);
  });

  it('shows what an index hides in its texts', async () => {
    const evil = agent('evil', { name: 'Claude\u202eCode', about: 'safe\u2066 \u200b' });
    const panel = await open([evil]);
    const text = await rows(panel).first().innerText();
    expect(text).toContain('⟨U+202E⟩');
    expect(text).not.toMatch(/[\u202e\u200b]/);
  });

  it('draws icons as pictures, which run nothing, and letters without them', async () => {
    const panel = await open();
    expect(await row(panel, 'Acorn').locator('.agent-icon.mask').count()).toBe(1);
    expect(
      await row(panel, 'Cedar')
        .locator('img.agent-icon')
        .evaluate((e) => (e as HTMLImageElement).decode().then(() => (e as HTMLImageElement).naturalWidth > 0)),
    ).toBe(true);
    const letters = await Promise.all(
      ['Claude Code', 'Codex'].map((name) =>
        row(panel, name)
          .locator('.agent-icon.letter')
          .evaluate((e) => [e.textContent, getComputedStyle(e).color] as const),
      ),
    );
    expect(letters.map(([text]) => text)).toEqual(['C', 'C']);
    expect(letters[0]![1]).not.toBe(letters[1]![1]);
    // Hostile pictures are refused by the host; one that got here anyway must do nothing.
    const hostile = btoa(
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.evil=1"><script>window.evil=1</script><image href="https://evil.example/x"/></svg>',
    );
    await panel.patch({
      op: 'panel/set',
      fields: { galleryIcons: { codex: hostile, birch: 'x" onerror="window.evil=1' } },
    });
    await row(panel, 'Codex').locator('img').waitFor();
    expect(await row(panel, 'Birch').locator('.letter').count()).toBe(1);
    expect(await panel.page.evaluate(() => 'evil' in window)).toBe(false);
  });

  it('says what is the matter with the index, and that nothing is installed in Restricted Mode', async () => {
    const panel = await PanelPage.open({ width: 300 });
    await panel.show(galleryScenes.galleryTrouble.view);
    await panel.page.getByText('can’t reach index.example').waitFor();
    await panel.page.getByText('Restricted Mode').waitFor();
    await panel.page.getByText('Loading more agents…').waitFor();
  });
});

describe('the form of an agent', () => {
  const openForm = async (fields: Parameters<typeof form>[0] = {}, width = 420) => {
    const panel = await PanelPage.open({ width });
    await panel.show(threadView([], { gallery: gallery({ form: form(fields) }) }));
    await panel.page.getByRole('heading', { name: /Agent$/ }).waitFor();
    return panel;
  };
  const field = (panel: PanelPage, name: string) => panel.page.getByRole('textbox', { name, exact: true });

  it('is opened from the gallery, and takes the focus', async () => {
    const panel = await open();
    await panel.page.getByRole('button', { name: 'Add agent' }).click();
    await expect.poll(() => panel.posted('agentForm/open')).toEqual([{ type: 'agentForm/open' }]);
    await panel.patch({ op: 'panel/set', fields: { gallery: gallery({ form: form() }) } });
    await expect.poll(() => field(panel, 'Name').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => panel.posted('agentForm/close')).toEqual([{ type: 'agentForm/close' }]);
    await panel.patch({ op: 'panel/set', fields: { gallery: gallery() } });
    await expect.poll(() => focused(panel)).toBe('Search agents');
  });

  it('sends what is in its fields, and keeps a stored secret that is left alone', async () => {
    const panel = await openForm();
    await field(panel, 'Name').fill('Renamed');
    await field(panel, 'Arguments').fill('--acp\ntwo words\n');
    await panel.page.getByRole('button', { name: 'Add Variable' }).click();
    await panel.page.keyboard.type('NEW');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.type('value');
    await panel.page.getByRole('button', { name: 'Remove MODEL' }).click();
    await field(panel, 'Folder').fill('/w');
    await field(panel, 'Name').press('Enter');
    await expect
      .poll(() => panel.posted('agentForm/save'))
      .toEqual([
        {
          type: 'agentForm/save',
          values: {
            name: 'Renamed',
            command: '${userHome}/bin/agent',
            args: ['--acp', 'two words'],
            cwd: '/w',
            env: [
              { name: 'API_KEY', value: '', isSecret: true, isKept: true },
              { name: 'NEW', value: 'value', isSecret: false, isKept: false },
            ],
          },
        },
      ]);
  });

  it('hides a secret, and none is in the state that VS Code stores', async () => {
    const panel = await openForm();
    const key = panel.page.getByLabel('Value of API_KEY');
    expect([await key.getAttribute('type'), await key.getAttribute('placeholder'), await key.inputValue()]).toEqual([
      'password',
      'Stored',
      '',
    ]);
    await key.fill('hunter2');
    await panel.page.getByRole('button', { name: 'Test Connection' }).click();
    await expect
      .poll(async () => (await panel.posted('agentForm/test')).map(({ values }) => values.env[1]?.value))
      .toEqual(['hunter2']);
    expect(
      JSON.stringify([await panel.page.evaluate(() => window.harness.getState()), await panel.posted('ui/changed')]),
    ).not.toContain('hunter2');
  });

  it('keeps what was typed when a problem or a test comes back', async () => {
    const panel = await openForm({}, 300);
    await field(panel, 'Command').fill('/opt/other');
    await panel.patch({
      op: 'panel/set',
      fields: { gallery: gallery({ form: form({ problem: 'Enter a name.', test: { state: 'running' } }) }) },
    });
    await panel.page.getByRole('alert').filter({ hasText: 'Enter a name.' }).waitFor();
    await panel.page.getByText('Starting the agent').waitFor();
    expect(await field(panel, 'Command').inputValue()).toBe('/opt/other');
    expect(await panel.page.getByRole('button', { name: 'Test Connection' }).isDisabled()).toBe(true);
    await panel.patch({
      op: 'panel/set',
      fields: {
        gallery: gallery({
          form: form({ test: { state: 'done', lines: [{ label: 'Agent', text: 'Acorn\u202e 1' }] } }),
        }),
      },
    });
    await panel.page.getByText('Acorn⟨U+202E⟩ 1').waitFor();
  });
});

describe('an empty panel without an agent', () => {
  it('offers agents, more of them, and the demo last', async () => {
    const panel = await PanelPage.open({ width: 300 });
    await panel.show(galleryScenes.galleryStarters.view);
    const choices = panel.page.getByRole('group', { name: 'Agents' }).getByRole('button');
    await expect.poll(() => choices.count()).toBe(6);
    expect(await choices.locator('.agent-icon.mask').count()).toBe(4);
    await choices.nth(1).click();
    await choices.nth(4).click();
    await expect
      .poll(() => panel.posted('gallery/open'))
      .toEqual([{ type: 'gallery/open', key: 'codex' }, { type: 'gallery/open' }]);
    await choices.nth(5).click();
    await expect.poll(() => panel.posted('demo/start')).toHaveLength(1);
    expect(await panel.box.inputValue()).toBe('');
  });
});
