import { Anchor } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import { Brand } from '#web/app/parts/brand.tsx'
import { AuthAsidePlace } from '#web/shell/auth-aside.tsx'
import { setLanguage } from '#web/shell/language.ts'
import classes from './auth-layout.module.css'

/** Switches to the other language, named in that language: its readers may not read the current one. */
export function OtherLanguage() {
  const { i18n } = useTranslation('common')
  const otherLanguage = i18n.language === 'id' ? 'en' : 'id'
  return (
    <Anchor
      component="button"
      type="button"
      lang={otherLanguage}
      size="sm"
      className={classes.language}
      onClick={() => setLanguage(otherLanguage)}
    >
      {otherLanguage === 'id' ? 'Bahasa Indonesia' : 'English'}
    </Anchor>
  )
}

/** Layout of sign-in, sign-up and similar pages: the form on the left, an optional help panel on the right. */
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
              <Brand />
            </span>
            <OtherLanguage />
          </header>
          <main id="content" tabIndex={-1} className={classes.main}>
            <Outlet />
          </main>
        </div>
        <aside ref={setPlace} className={classes.aside} aria-label={productName} />
      </div>
    </AuthAsidePlace.Provider>
  )
}
