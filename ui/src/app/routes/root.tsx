import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Toaster } from '@/shared/ui/toaster';
import { TooltipLayer } from '@/shared/ui/tooltip';
import { Crashed } from '../crashed';
import { NotFound } from '../not-found';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toaster />
      <TooltipLayer />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: Crashed,
});
