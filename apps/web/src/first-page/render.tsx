import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { Route, Routes, StaticRouter } from 'react-router'
import { authOptions } from '#domain/accounts/endpoints.ts'
import { productName } from '#domain/navigation/constants.ts'
import type { Language } from '#entities/define/language.ts'
import { AuthLayout } from '#web/app/layouts/auth-layout.tsx'
import SignInPage from '#web/modules/accounts/sign-in-page.tsx'
import { drawBranding } from '#web/shell/branding.ts'
import { drawFirstForm } from '#web/shell/first-form.ts'
import { i18n, setLanguage, startLanguage } from '#web/shell/language.ts'
import { cssVariables, themeOf } from '#web/shell/theme.ts'
import { type Surroundings, SurroundingsProvider } from '#web/ui/text/words.tsx'

/** Without scripts the button that shows the password does nothing. */
const theme = mergeThemeOverrides(themeOf([]), {
  components: { PasswordInput: { styles: { visibilityToggle: { visibility: 'hidden' } } } },
})
/** Colours that the page does not use. */
const otherColours =
  /--mantine-color-(?:blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-[\w-]+: [^;]+;/g

/** `code`: refused until the code of the second factor is given too. */
type Variant = { language: Language; hasLogo: boolean; hasGoogle: boolean; state: 'empty' | 'refused' | 'code' }

/** The sign-in page as HTML. The server fills in what is between double braces. */
export async function renderSignIn({ language, hasLogo, hasGoogle, state }: Variant) {
  if (!i18n.isInitialized) await startLanguage()
  await i18n.loadNamespaces(['accounts', 'staff-accounts'])
  await setLanguage(language)
  drawBranding({ name: '', shortName: '{{university}}', logo: hasLogo ? '{{logo}}' : null })
  drawFirstForm({
    values: { email: '{{email}}' },
    failure: state === 'empty' ? null : '{{failure}}',
    asksCode: state === 'code',
  })
  const queries = new QueryClient()
  queries.setQueryData([authOptions.path], { data: { google: hasGoogle } })
  const say = (key: string) => i18n.t(key)
  const surroundings = { language, say, owner: 'nobody' } as Surroundings
  const html = renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <SurroundingsProvider value={surroundings}>
          <StaticRouter location="/sign-in">
            <Routes>
              <Route element={<AuthLayout />}>
                <Route path="/sign-in" element={<SignInPage />} />
              </Route>
            </Routes>
          </StaticRouter>
        </SurroundingsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { title: `${i18n.t('accounts:signIn.title')} - ${productName}`, html: html.replace(otherColours, '') }
}
