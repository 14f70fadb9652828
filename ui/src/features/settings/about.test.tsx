// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith, renderUi } from '../../../tests/render';
import './words';
import { About } from './about';

const licenses = {
  license: 'MIT OR Apache-2.0',
  rust: {
    packages: [
      { name: 'ink', version: '1.2.3', license: 'MIT', repository: 'https://example.com/ink', texts: [1] },
      { name: 'paper', version: '4.5.6', license: 'ISC', repository: null, texts: [0, 1] },
    ],
    texts: ['The paper may be used', 'The ink may be used'],
  },
  javascript: null,
};

it('names the licence and the packages, and shows a text when it is opened', async () => {
  answerWith(() => Response.json(licenses));
  renderUi(<About />);
  expect(await screen.findByText(/MIT OR Apache-2.0 at your option/)).toBeTruthy();
  expect(screen.getByText('2 packages')).toBeTruthy();
  expect(screen.queryByText('The ink may be used')).toBeNull();
  const details = screen.getByText('ink').closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  expect(screen.getByText('The ink may be used')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Source code' }).getAttribute('href')).toBe('https://example.com/ink');
  expect(screen.getByText('This server was built without the web interface.')).toBeTruthy();
});

it('says what went wrong and asks again', async () => {
  let isBroken = true;
  answerWith(() =>
    isBroken
      ? Response.json({ code: 'internal', message: 'It broke.', category: 'system', action: null }, { status: 500 })
      : Response.json(licenses),
  );
  renderUi(<About />);
  expect((await screen.findByRole('alert')).textContent).toContain('It broke.');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('ink')).toBeTruthy();
});
