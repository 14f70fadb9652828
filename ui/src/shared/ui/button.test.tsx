// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderUi } from '../../../tests/render';
import { Button } from './button';

it('takes no second press while it is at work, and keeps the focus', async () => {
  const user = userEvent.setup();
  const [press, submit] = [vi.fn(), vi.fn((event: { preventDefault: () => void }) => event.preventDefault())];
  const form = (isBusy: boolean) => (
    <form onSubmit={submit}>
      <input aria-label="box" />
      <Button type="submit" isBusy={isBusy} onClick={press}>
        Save
      </Button>
    </form>
  );
  const view = renderUi(form(false));
  await user.click(screen.getByRole('button'));
  expect([press, submit].map((one) => one.mock.calls.length)).toEqual([1, 1]);
  view.rerender(form(true));
  expect(document.activeElement).toBe(screen.getByRole('button'));
  await user.click(screen.getByRole('button'));
  await user.type(screen.getByRole('textbox'), 'x{Enter}');
  expect([press, submit].map((one) => one.mock.calls.length)).toEqual([1, 1]);
});
