import './app/styles/first-styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { configureClient } from './api/client.ts'
import { queryClient } from './api/query.ts'
import { RootBoundary } from './app/root-failure.tsx'
import { AppRoutes } from './app/router.tsx'
import { useBranding } from './shell/branding.ts'
import { rootOfApp } from './shell/first-form.ts'
import { pushEachAddressOnce } from './shell/history-moves.ts'
import { i18n, startLanguage } from './shell/language.ts'
import { checkAfterRefusal, clearSession } from './shell/session/session-store.ts'
import { cssVariables, themeOf } from './shell/theme.ts'
import { themeModeManager } from './shell/theme-mode.ts'

pushEachAddressOnce(history, () => location.href)
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

function App() {
  const { shades } = useBranding()
  const theme = useMemo(() => themeOf(shades), [shades])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
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
  )
}

// Not needed before the page is there.
if (import.meta.env.PROD)
  addEventListener('load', () => import('./app/keep-shell.ts').then(({ keepShell }) => keepShell()).catch(() => {}))

const colorSchemeManager = themeModeManager()
createRoot(rootOfApp()).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
