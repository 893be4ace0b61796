import { Anchor } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import { Brand } from '#web/app/parts/brand.tsx'
import { AuthAsidePlace } from '#web/shell/auth-aside.tsx'
import { setLanguage } from '#web/shell/language.ts'
import classes from './auth-layout.module.css'

/** One language away, by its own name: whoever needs it may not read the other. */
export function OtherLanguage() {
  const { i18n } = useTranslation('common')
  const other = i18n.language === 'id' ? 'en' : 'id'
  return (
    <Anchor
      component="button"
      type="button"
      lang={other}
      size="sm"
      className={classes.language}
      onClick={() => setLanguage(other)}
    >
      {other === 'id' ? 'Bahasa Indonesia' : 'English'}
    </Anchor>
  )
}

/** Sign-in, sign-up and the like: the form on the left, whatever helps on the right. */
export function AuthLayout() {
  const { t } = useTranslation('common')
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [filled, setFilled] = useState(false)
  useEffect(() => {
    if (!place) return
    const look = () => setFilled(place.childElementCount > 0)
    look()
    const observer = new MutationObserver(look)
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
