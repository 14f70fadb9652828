import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient, onSignedOut } from '@/shared/api/query-client';
import { showLeaveMessage } from '@/shared/api/sign-out';
import { startWords } from '@/shared/i18n/i18n';
import { getPreferences, show, watchSurroundings } from '@/shared/preferences/storage';
import { startOffline } from './offline';
import { createAppRouter } from './router';
import { goToSignIn } from './signed-out';
import { startWorker } from './worker';

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

show(getPreferences());
watchSurroundings();
startWords();
showLeaveMessage();
onSignedOut(() => void goToSignIn(router));
startOffline(queryClient);
startWorker(router);

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
