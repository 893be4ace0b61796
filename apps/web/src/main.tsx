import './app/first-styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { configureClient } from './api/client.ts'
import { queryClient } from './api/query.ts'
import { i18n, startLanguage } from './app/language.ts'
import { RootBoundary } from './app/root-failure.tsx'
import { AppRoutes } from './app/router.tsx'
import { checkAfterRefusal, clearSession } from './app/session-store.ts'
import { cssVariables, theme } from './app/theme.ts'
import { themeModeManager } from './app/theme-mode.ts'

configureClient({
  sentences: () => ({
    offline: i18n.t('errors.offline'),
    timeout: i18n.t('errors.timeout'),
    unknown: i18n.t('errors.unknown'),
  }),
  onUnauthenticated: clearSession,
  onForbidden: checkAfterRefusal,
})
void startLanguage()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={themeModeManager()}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RootBoundary>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </RootBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
