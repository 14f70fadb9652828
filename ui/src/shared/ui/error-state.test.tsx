// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderUi } from '../../../tests/render';
import { Problem } from '../lib/problem';
import { ErrorState } from './error-state';

const problem = (retryAfterSeconds: number | null) =>
  new Problem({
    status: 429,
    code: 'too_many_requests',
    category: 'system',
    message: 'That was too often.',
    action: 'Wait a moment.',
    retryAfterSeconds,
  });

describe('ErrorState', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says what happened and what to do, and tries again', () => {
    const onRetry = vi.fn();
    renderUi(<ErrorState error={problem(null)} onRetry={onRetry} />);
    expect(screen.getByRole('alert').textContent).toContain('That was too often.');
    expect(screen.getByRole('alert').textContent).toContain('Wait a moment.');
    screen.getByRole('button', { name: 'Try again' }).click();
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('counts down as long as the server wants to be left alone', () => {
    renderUi(<ErrorState error={problem(3)} onRetry={() => {}} />);
    const button = screen.getByRole<HTMLButtonElement>('button');
    expect(button.disabled).toBe(true);
    expect(button.textContent).toBe('Try again in 3 seconds');
    act(() => vi.advanceTimersByTime(2_100));
    expect(button.textContent).toBe('Try again in 1 second');
    act(() => vi.advanceTimersByTime(1_000));
    expect(button.disabled).toBe(false);
  });

  it('has words of its own where no server could say anything', () => {
    renderUi(<ErrorState error={new TypeError('x is undefined')} />);
    expect(screen.getByRole('alert').textContent).not.toContain('undefined');
    expect(screen.queryByRole('button')).toBeNull();
  });
});
