import { Anchor, Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { Brand } from '#web/app/parts/brand.tsx'
import { AuthAsidePlace } from '#web/shell/auth-aside.tsx'
import { setLanguage, speaksIndonesian, useLanguage } from '#web/shell/language.ts'
import classes from './auth-layout.module.css'

/** Each language in its own words, for readers who cannot read the current one. */
const languageNames: Record<Language, string> = { en: 'English', id: 'Bahasa Indonesia' }

/** Offers Indonesian, in Indonesian, to a reader of the English page whose browser speaks it. */
function IndonesianOffer() {
  const current = useLanguage()
  if (current !== 'en' || !speaksIndonesian()) return null
  return (
    <Button lang="id" variant="light" fullWidth mb="lg" onClick={() => setLanguage('id')}>
      Lanjutkan dalam Bahasa Indonesia
    </Button>
  )
}

/** Switches to another language. */
function OtherLanguages() {
  const current = useLanguage()
  return languages
    .filter((language) => language !== current)
    .map((language) => (
      <Anchor
        key={language}
        href={`?lang=${language}`}
        lang={language}
        size="sm"
        className={classes.language}
        onClick={(event) => {
          event.preventDefault()
          void setLanguage(language)
        }}
      >
        {languageNames[language]}
      </Anchor>
    ))
}

/** Layout of sign-in, sign-up and similar pages: form on the left, optional help panel on the right. */
export function AuthLayout() {
  const { t } = useTranslation('common')
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [filled, setFilled] = useState(false)
  useEffect(() => {
    if (!place) return
    const updateFilled = () => setFilled(place.childElementCount > 0)
    updateFilled()
    const observer = new MutationObserver(updateFilled)
    observer.observe(place, { childList: true })
    return () => observer.disconnect()
  }, [place])
  return (
    <AuthAsidePlace.Provider value={place}>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <div className={classes.page} data-aside={filled || undefined}>
        <div className={classes.form}>
          <header className={classes.header}>
            <span className={classes.brand}>
              <Brand isWhole />
            </span>
            <OtherLanguages />
          </header>
          <main id="content" tabIndex={-1} className={classes.main}>
            <IndonesianOffer />
            <Outlet />
          </main>
        </div>
        <aside ref={setPlace} className={classes.aside} aria-label={productName} />
      </div>
    </AuthAsidePlace.Provider>
  )
}
