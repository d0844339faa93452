import { expect, it } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { askToRun } from '../../../../src/host/editor/askToRun';
import { pendingPermissions } from '../../../../src/thread/permissionRequests';
import { permissionView } from '../../../../src/view/projectPermission';
import { ScenarioPlayer } from '../../thread/scenario';

it('shows all of an input, none of which has a meaning for the card', async () => {
  const player = new ScenarioPlayer();
  const input = {
    command: 'npm test',
    plan: '# Harmless',
    questions: [{ question: 'Which colour?' }],
    url: 'https://example.com',
    file_path: '/etc/passwd',
    old_string: 'a',
    new_string: 'b',
    count: 2,
  };
  const answer = askToRun(player.session, { title: 'Run the tool “x” of Y', kind: 'other', input }, neverCancelled);
  const [permission] = pendingPermissions(player.session.thread);
  const { title, fields, options, ...rest } = permissionView(permission!, '/work');
  expect(title).toBe('Run the tool “x” of Y');
  expect(fields?.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'input.command: npm test',
    'input.plan: # Harmless',
    'input.questions.0.question: Which colour?',
    'input.url: https://example.com',
    'input.file_path: /etc/passwd',
    'input.old_string: a',
    'input.new_string: b',
    'input.count: 2',
  ]);
  expect(rest).toEqual({
    requestId: permission!.requestId,
    isOwn: true,
    content: [],
    locations: [],
    input: JSON.stringify({ input }, undefined, 2),
  });
  player.session.selectPermission(permission!.requestId, options[0]!.optionId);
  expect(await answer).toBe(true);
});
