// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Problem } from '@/shared/lib/problem';
import { renderUi } from '../../../tests/render';
import './words';
import { AccountForm } from './account-form';

const entered = vi.hoisted(() => vi.fn());
vi.mock('./use-enter', () => ({ useEnter: () => entered }));

const me = {
  id: '1',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'member',
  has_password: true,
  created_at: '',
} as const;
const base = { isNew: true, submit: 'Create account', request: async () => me, path: '/welcome' };
const send = () => userEvent.click(screen.getByRole('button', { name: 'Create account' }));
const refused = new Problem({
  status: 400,
  code: 'invalid_request',
  category: 'validation',
  message: 'Something cannot be used.',
  body: {
    code: 'invalid_request',
    category: 'validation',
    message: 'Something cannot be used.',
    action: '',
    fields: [{ field: 'password', message: 'Too easy to guess.' }],
  },
});

describe('AccountForm', () => {
  it('sends what was typed, the password untouched, and enters', async () => {
    const request = vi.fn(async () => me);
    renderUi(<AccountForm {...base} request={request} />);
    await userEvent.type(screen.getByLabelText('Name'), ' Ann ');
    await userEvent.type(screen.getByLabelText('E-mail address'), 'ann@example.com');
    await userEvent.type(screen.getByLabelText('Password'), ' paper and ink ');
    await send();
    expect(request).toHaveBeenCalledWith({ email: 'ann@example.com', name: 'Ann', password: ' paper and ink ' });
    expect(entered).toHaveBeenCalledWith(me, '/welcome', true);
  });

  it('shows at the field what is wrong with the field, and says it nowhere else', async () => {
    renderUi(<AccountForm {...base} request={() => Promise.reject(refused)} />);
    await userEvent.type(screen.getByLabelText('E-mail address'), 'ann@example.com');
    await userEvent.type(screen.getByLabelText('Password'), 'paper and ink');
    await send();
    await screen.findByText('Too easy to guess.');
    const password = screen.getByLabelText('Password');
    expect(password.getAttribute('aria-invalid')).toBe('true');
    const described = password.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described.split(' ').at(-1) ?? '')?.textContent).toBe('Too easy to guess.');
    expect(screen.queryByText('Something cannot be used.')).toBeNull();
  });

  it('lets one look at the password', async () => {
    renderUi(<AccountForm {...base} isNew={false} />);
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    expect(password.type).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.type).toBe('text');
  });
});
