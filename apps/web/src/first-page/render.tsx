import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { Route, Routes, StaticRouter } from 'react-router'
import { authOptions } from '#domain/accounts/endpoints.ts'
import { productName } from '#domain/navigation/constants.ts'
import type { Language } from '#entities/define/language.ts'
import { AuthLayout } from '#web/app/layouts/auth-layout.tsx'
import SignInPage from '#web/modules/accounts/sign-in-page.tsx'
import SignUpPage from '#web/modules/accounts/sign-up/sign-up-page.tsx'
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

const pages = { 'sign-in': SignInPage, 'sign-up': SignUpPage }

/** `code`: refused until the code of the second factor is given too. */
type Variant = {
  page: keyof typeof pages
  language: Language
  hasLogo: boolean
  hasGoogle: boolean
  /** Whether the university has a privacy notice of its own. */
  hasNotice: boolean
  state: 'empty' | 'refused' | 'code'
}

/** A page of the entrance as HTML. The server fills in what is between double braces. */
export async function renderFirstPage({ page, language, hasLogo, hasGoogle, hasNotice, state }: Variant) {
  if (!i18n.isInitialized) await startLanguage()
  await i18n.loadNamespaces(['accounts', 'staff-accounts', 'opening'])
  await setLanguage(language)
  drawBranding({ name: '', shortName: '{{university}}', logo: hasLogo ? '{{logo}}' : null })
  const typed = { name: '{{name}}', email: '{{email}}', phone: '{{phone}}' }
  drawFirstForm({
    values: page === 'sign-in' ? { email: typed.email } : typed,
    failure: state === 'empty' ? null : '{{failure}}',
    asksCode: state === 'code',
  })
  const queries = new QueryClient()
  const notice = hasNotice ? '{{notice}}' : ''
  queries.setQueryData([authOptions.path], {
    data: {
      google: hasGoogle,
      consentVersion: '{{version}}',
      privacyNotice: { en: notice, id: notice },
      universityName: '{{fullName}}',
    },
  })
  const Page = pages[page]
  const say = (key: string) => i18n.t(key)
  const surroundings = { language, say, owner: 'nobody' } as Surroundings
  const html = renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <SurroundingsProvider value={surroundings}>
          <StaticRouter location={`/${page}`}>
            <Routes>
              <Route element={<AuthLayout />}>
                <Route path={`/${page}`} element={<Page />} />
              </Route>
            </Routes>
          </StaticRouter>
        </SurroundingsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { title: `${i18n.t(`titles:${page}`)} - ${productName}`, html: html.replace(otherColours, '') }
}
