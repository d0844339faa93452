import { describe, expect, it } from 'vitest';
import { isPermissiveMode } from '../../../src/thread/permissiveMode';

describe('a mode acts without asking', () => {
  it.each([
    ['yolo', 'YOLO'],
    ['bypassPermissions', 'Bypass Permissions'],
    ['auto-accept', 'auto-accept'],
    ['acceptEdits', 'Accept Edits'],
    ['auto', 'Auto'],
    ['m1', 'Auto mode'],
    ['autoEdit', 'Auto Edit'],
    ['auto_approve', 'x'],
    ['x', 'Autopilot'],
    ['full-access', 'x'],
    ['x', 'Never ask'],
    ['x', 'Turbo'],
    ['full-auto', 'x'],
    ['x', 'Always approve'],
    ['x', 'Trust all'],
    ['x', 'Autonomous'],
    ['x', 'No prompts'],
    ['build', 'Build', 'Runs tools without asking'],
    ['x', 'X', 'Edits files and runs commands without your approval.'],
    ['x', 'X', 'Automatically accepts all file edits'],
    ['x', 'X', 'No confirmation needed'],
    ['x', 'X', 'The agent never asks.'],
    ['auto-high', 'Auto (High)'],
    ['x', 'Approval: never'],
    ['x', '全自动'],
    ['x', '自动批准'],
    ['agent', 'Agent', 'Tools run with no user confirmation'],
    ['code', 'Code', 'All actions are approved automatically.'],
    ['default', 'Default', 'All tool calls are allowed'],
    ['build', 'Build', 'Skips all permission checks'],
    ['x', 'X', 'Permission prompts are bypassed'],
    ['x', 'X', 'Not for production. Executes commands without prompting.'],
  ])('%s, %s, %s', (id, name, description?: string) => expect(isPermissiveMode({ id, name, description })).toBe(true));
});

describe('a mode asks', () => {
  it.each([
    ['ask', 'Ask first', 'Asks before each change'],
    ['default', 'Default', 'Prompts for dangerous operations'.replace('dangerous', 'risky')],
    ['plan', 'Plan', 'Never edits without asking'],
    ['read-only', 'Read Only', 'Cannot edit files without approval.'],
    ['dontAsk', 'Don’t Ask', 'Don’t prompt for permissions, deny if not pre-approved'],
    ['x', 'Automation'],
    ['auto-plan', 'Auto plan'],
    ['x', 'X', 'Doesn’t run commands without confirmation'],
    ['x', 'X', 'Does not automatically run commands'],
  ])('%s, %s, %s', (id, name, description?: string) => expect(isPermissiveMode({ id, name, description })).toBe(false));
});
